/** Filled in by the build from package.json; running from source says so. */
declare const SHIRO_VERSION: string | undefined
export const version: string = typeof SHIRO_VERSION === "string" ? SHIRO_VERSION : "0.0.0-source"
