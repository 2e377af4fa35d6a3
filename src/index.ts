export * as Tool from "./tools/Tool.js"
