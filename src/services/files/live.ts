import * as Layer from "effect/Layer"
import { JournalLayer } from "../journal/make.js"
import { OwnerLive } from "../journal/owner.js"
import { FilesLayer } from "./make.js"

/** The workspace's files and their journal. What an earlier run left half-done is put in order first. */
export const FilesLive = FilesLayer.pipe(Layer.provideMerge(JournalLayer.pipe(Layer.provide(OwnerLive))))
