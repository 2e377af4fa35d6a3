import { FilesMemory } from "../../../src/services/files/memory.js"
import { contract } from "./contract.js"

contract("in memory", FilesMemory)
