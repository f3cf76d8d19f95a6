import { mp3File } from '../../audio.ts'
import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import { speechSeconds } from '../../line.ts'
import type { Problems } from '../../problems.ts'
import type { Workspace } from '../workspace.ts'
import { badValue, notFound } from './api-error.ts'
import { cursorPage } from './pages.ts'
import { parseJson } from './schemas.ts'

const SPEECH_FIELDS = [
  ...['text', 'model_id', 'language_code', 'voice_settings', 'seed', 'previous_text', 'next_text'],
  ...['apply_text_normalization', 'pronunciation_dictionary_locators', 'apply_language_text_normalization'],
]
const TEXT_CHARS_MAX = 40_000

const OF_EVERY_VOICE = {
  category: 'premade',
  samples: null,
  available_for_tiers: [],
  high_quality_base_model_ids: ['eleven_flash_v2_5', 'eleven_multilingual_v2'],
}

/** Voices, and speech made with them: an mp3 that carries its words. */
export function voiceRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const all = () => [...workspace.voices.values()].map((voice) => ({ ...voice, ...OF_EVERY_VOICE }))
  const search = (request: HttpRequest): HttpReply => {
    const wanted = request.query.get('search')?.toLowerCase() ?? ''
    const found = all().filter(({ name }) => name.toLowerCase().includes(wanted))
    const page = cursorPage(request, found, { key: 'voices', cursor: 'next_page_token', next: 'next_page_token' })
    return jsonReply(200, { ...JSON.parse(String(page.body)), total_count: found.length })
  }
  return [
    { method: 'GET', path: '/v1/voices', handle: () => jsonReply(200, { voices: all() }) },
    { method: 'GET', path: '/v2/voices', handle: search },
    {
      method: 'GET',
      path: '/v1/voices/:id',
      handle({ params }) {
        const voice = all().find(({ voice_id: id }) => id === params.id)
        if (voice === undefined) throw notFound('voice', params.id ?? '')
        return jsonReply(200, voice)
      },
    },
    {
      method: 'POST',
      path: '/v1/text-to-speech/:id',
      handle(request) {
        const id = request.params.id ?? ''
        if (!workspace.voices.has(id)) throw notFound('voice', id)
        const text = readText(request, problems)
        const audio = mp3File({ seconds: speechSeconds(text), words: text })
        return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: audio }
      },
    },
  ]
}

function readText(request: HttpRequest, problems: Problems): string {
  const body = parseJson(request)
  const unknown = Object.keys(body).filter((name) => !SPEECH_FIELDS.includes(name))
  for (const name of unknown) problems.add({ where: 'voiceai', message: `speech does not know ${name}` })
  const { text } = body
  if (typeof text !== 'string' || text.trim() === '') throw badValue(['text'], 'Field required')
  if (text.length > TEXT_CHARS_MAX) throw badValue(['text'], 'String is too long')
  return text
}
