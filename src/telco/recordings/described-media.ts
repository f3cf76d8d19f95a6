import type { ApiOperation } from '../../platform/api/api-operation.ts'
import { ERROR_REPLIES } from '../../platform/api/openapi-replies.ts'

const AUDIO = { contentType: 'audio/*', schema: { type: 'string', format: 'binary' } }
const PART = {
  description: 'The part that the header Range asked for',
  content: { 'audio/*': { schema: AUDIO.schema } },
}

function audio(name: string, id: string, summary: string): ApiOperation {
  const others = { ...ERROR_REPLIES, 206: PART, 416: 'No such part' }
  return {
    method: 'get',
    path: `/connect/${name}/:id`,
    tag: 'audio',
    id: `listen_to_${id}`,
    summary,
    proof: 'key',
    reply: AUDIO,
    others,
  }
}

/** The routes of audio, as the API document shows them. */
export const MEDIA_OPERATIONS: readonly ApiOperation[] = [
  audio('recording', 'recording', 'Audio of a recording'),
  audio('voicemail', 'voicemail_of_call', 'Audio of the newest voicemail of a call, by the id of the call'),
  audio('voicemails', 'voicemail', 'Audio of a voicemail'),
]
