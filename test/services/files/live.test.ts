import { DiskByPath, DiskLive } from "../../../src/services/disk/live.js"
import { readingContract } from "./contract.js"
import { onDisk } from "./support.js"
import { writingContract } from "./writing.js"

readingContract("on disk, by descriptor", onDisk(DiskLive))
writingContract("on disk, by descriptor", onDisk(DiskLive))
readingContract("on disk, by path", onDisk(DiskByPath))
writingContract("on disk, by path", onDisk(DiskByPath))
