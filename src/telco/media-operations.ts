import type { ApiOperation } from '../platform/api-operation.ts'
import { ERROR_REPLIES } from '../platform/openapi-replies.ts'

const AUDIO = { contentType: 'audio/*', schema: { type: 'string', format: 'binary' } }
const PART = {
  description: 'The part that the header Range asked for',
  content: { 'audio/*': { schema: AUDIO.schema } },
}

function audio(name: 'recording' | 'voicemail', summary: string): ApiOperation {
  const others = { ...ERROR_REPLIES, 206: PART, 416: 'No such part' }
  return {
    method: 'get',
    path: `/connect/${name}/:id`,
    tag: 'audio',
    id: `listen_to_${name}`,
    summary,
    proof: 'key',
    reply: AUDIO,
    others,
  }
}

/** The routes of audio, as the API document shows them. */
export const MEDIA_OPERATIONS: readonly ApiOperation[] = [
  audio('recording', 'Audio of a recording'),
  audio('voicemail', 'Audio of a voicemail, by the id of its call'),
]
