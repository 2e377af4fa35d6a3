import type { WireName } from "../Model.js"

/** A provider by name: which wire it speaks, where, and which variable holds its key. */
export interface Preset {
  readonly name: string
  /** as shown to people */
  readonly label: string
  readonly wire: WireName
  /** null: has to be configured */
  readonly baseURL: string | null
  /** null: no key is needed */
  readonly keyVariable: string | null
  /** wants its reasoning back with the history of the running turn */
  readonly echoesReasoning?: boolean
}

export const presets: ReadonlyArray<Preset> = [
  { name: "openai", label: "OpenAI", wire: "openai", baseURL: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  { name: "openai-responses", label: "OpenAI (responses)", wire: "openai-responses", baseURL: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  { name: "anthropic", label: "Anthropic", wire: "anthropic", baseURL: "https://api.anthropic.com/v1", keyVariable: "ANTHROPIC_API_KEY" },
  { name: "openrouter", label: "OpenRouter", wire: "openai", baseURL: "https://openrouter.ai/api/v1", keyVariable: "OPENROUTER_API_KEY" },
  { name: "groq", label: "Groq", wire: "openai", baseURL: "https://api.groq.com/openai/v1", keyVariable: "GROQ_API_KEY" },
  { name: "deepseek", label: "DeepSeek", wire: "openai", baseURL: "https://api.deepseek.com/v1", keyVariable: "DEEPSEEK_API_KEY", echoesReasoning: true },
  { name: "xai", label: "xAI", wire: "openai", baseURL: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY" },
  { name: "mistral", label: "Mistral", wire: "openai", baseURL: "https://api.mistral.ai/v1", keyVariable: "MISTRAL_API_KEY" },
  { name: "gemini", label: "Gemini", wire: "openai", baseURL: "https://generativelanguage.googleapis.com/v1beta/openai", keyVariable: "GEMINI_API_KEY" },
  { name: "ollama", label: "Ollama", wire: "openai", baseURL: "http://127.0.0.1:11434/v1", keyVariable: null },
  { name: "lmstudio", label: "LM Studio", wire: "openai", baseURL: "http://127.0.0.1:1234/v1", keyVariable: null },
  { name: "vllm", label: "vLLM", wire: "openai", baseURL: "http://127.0.0.1:8000/v1", keyVariable: null },
  { name: "custom", label: "Custom (OpenAI-compatible)", wire: "openai", baseURL: null, keyVariable: null },
  { name: "script", label: "Script", wire: "script", baseURL: "", keyVariable: null }
]

export const presetNamed = (name: string): Preset | undefined => presets.find((preset) => preset.name === name)

/** The servers that are looked for where nothing is configured. */
export const localServers = presets.filter((preset) => preset.name === "ollama" || preset.name === "lmstudio")
