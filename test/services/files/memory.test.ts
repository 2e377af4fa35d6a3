import { FilesMemory } from "../../../src/services/files/memory.js"
import { readingContract } from "./contract.js"
import { writingContract } from "./writing.js"

readingContract("in memory", FilesMemory)
writingContract("in memory", FilesMemory)
