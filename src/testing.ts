export { FilesMemory } from "./services/files/memory.js"
