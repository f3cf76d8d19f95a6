import type { ApiOperation } from '../../platform/api/api-operation.ts'
import { ERROR_REPLIES } from '../../platform/api/openapi-replies.ts'
import { AUDIO_ROUTES } from './audio-source.ts'

const schema = { type: 'string', format: 'binary' }
const PART = { description: 'The part that the header Range asked for', content: { 'audio/*': { schema } } }

/** The routes of audio, as the API document shows them. */
export const MEDIA_OPERATIONS: readonly ApiOperation[] = AUDIO_ROUTES.map(({ path, id, summary }) => ({
  method: 'get',
  path: `/connect/${path}/:id`,
  tag: 'audio',
  id: `listen_to_${id}`,
  summary,
  proof: 'key',
  reply: { contentType: 'audio/*', schema },
  others: { ...ERROR_REPLIES, 206: PART, 416: 'No such part' },
}))
