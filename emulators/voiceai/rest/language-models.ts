import { type HttpRoute, jsonReply } from '../../http-server.ts'

const COMMON = {
  is_checkpoint: false,
  max_tokens_limit: 16_384,
  max_context_limit: 128_000,
  supports_image_input: true,
  supports_document_input: false,
  supports_parallel_tool_calls: true,
}

/** Language models, of which one is a dated check-point and one is on its way out. */
const MODELS = [
  { llm: 'gpt-5.2', ...COMMON, deprecation_info: null },
  { llm: 'gpt-5.5-2026-04-23', ...COMMON, is_checkpoint: true, deprecation_info: null },
  {
    llm: 'gpt-3.5-turbo',
    ...COMMON,
    deprecation_info: { llm: 'gpt-3.5-turbo', is_deprecated: true, replacement_model: 'gpt-5-nano' },
  },
]

const DEPRECATION = {
  warning_start_days: 30,
  fallback_start_days: 14,
  fallback_complete_days: 7,
  fallback_start_percentage: 25,
  fallback_complete_percentage: 100,
}

/** The models that agents of this workspace can have. */
export function languageModelRoutes(): HttpRoute[] {
  const handle = () => jsonReply(200, { llms: MODELS, default_deprecation_config: DEPRECATION })
  return [{ method: 'GET', path: '/v1/convai/llm/list', handle }]
}
