import { Refusal } from '../../errors.ts'
import { cleanName, ONE_LINE } from '../../names.ts'
import type { Env } from '../../platform/access/env.ts'
import { ATTACHMENT_PATH, findOwnFile } from '../../platform/attachments/attachment.ts'
import {
  boolean,
  char,
  computed,
  datetime,
  integer,
  json,
  many2many,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { type Check, defineModel, type Row, type Values } from '../../platform/model/model.ts'
import { isOwnNetwork } from '../../public-address.ts'
import { KNOWLEDGE_OF_AGENTS } from '../agents/agent.ts'
import { readAgain, removeFiles, takeFile } from './knowledge-changes.ts'
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_CHARS_MAX,
  DOCUMENT_MEGABYTES_MAX,
  PAGES_MAX,
  sentFile,
} from './knowledge-source.ts'

const PAGES_DEFAULT = 50
const NAME_CHARS_MAX = 200
const NAMELESS = 'Knowledge'
const URL_CHARS_MAX = 2_000

/** Something that voice agents know: a text, a file, a page of the web, or a site. */
export const knowledgeModel = defineModel({
  name: 'connect.voiceai_knowledge',
  label: 'Knowledge',
  order: 'name',
  fields: {
    name: char('Name', {
      required: true,
      isCompleted: true,
      maxLength: NAME_CHARS_MAX,
      pattern: ONE_LINE,
      help: 'Leave empty to use the name of the file, the address or the first line.',
    }),
    kind: selection(
      'Type',
      { text: 'Text', file: 'File', page: 'Web page', site: 'Website' },
      { required: true, default: 'text' },
    ),
    text: text('Text', {
      maxLength: DOCUMENT_CHARS_MAX,
      requiredWhile: [{ is: { kind: 'text' }, says: 'for a text' }],
    }),
    url: char('Web address', {
      maxLength: URL_CHARS_MAX,
      requiredWhile: [
        { is: { kind: 'page' }, says: 'for a web page' },
        { is: { kind: 'site' }, says: 'for a website' },
      ],
      help: 'ElevenLabs reads it, so it must be public.',
    }),
    pages_max: integer('Page limit', {
      default: PAGES_DEFAULT,
      min: 1,
      max: PAGES_MAX,
      help: 'ElevenLabs stops reading a website after this many pages.',
    }),
    file: integer('File', {
      isRecordId: true,
      requiredWhile: [{ is: { kind: 'file' }, says: 'for a file' }],
      help: 'The ID of an uploaded file: PDF, DOCX, TXT, MD, HTML or EPUB, 20 MB or smaller.',
    }),
    file_name: char('File name', { readonly: true }),
    file_bytes: integer('File size (bytes)', { readonly: true }),
    file_url: computed('File (address)', 'char', {
      depends: ['file'],
      compute: (_env, rows) => rows.map(({ file }) => (file ? ATTACHMENT_PATH + String(file) : null)),
    }),
    usage: selection(
      'Used',
      { auto: 'Looked up when needed', prompt: 'Always in mind' },
      { required: true, default: 'auto', help: 'Short texts can always be in mind; long ones are looked up.' },
    ),
    agents: many2many('Voice agents', 'connect.voiceai_agent', {
      table: KNOWLEDGE_OF_AGENTS.table,
      here: KNOWLEDGE_OF_AGENTS.there,
      there: KNOWLEDGE_OF_AGENTS.here,
    }),
    document_uid: char('Document id', {
      readonly: true,
      isUnique: true,
      help: 'The ID of the document at ElevenLabs.',
    }),
    crawl_uid: char('Reading id', { readonly: true, help: 'The ID of the reading of a website at ElevenLabs.' }),
    crawl_status: char('Reading', { readonly: true, help: 'How far ElevenLabs is with a website.' }),
    pages: integer('Pages read', { readonly: true }),
    pushed_source: char('Source at ElevenLabs', { readonly: true, maxLength: URL_CHARS_MAX + NAME_CHARS_MAX }),
    synced: boolean('In sync', { readonly: true }),
    sync_error: text('Sync error', { readonly: true, widget: 'finding' }),
    create_asked_at: datetime('Creation requested', {
      readonly: true,
      help: "Set until ElevenLabs confirms it, so that it isn't created twice.",
    }),
    create_asked: json('Request', { readonly: true, help: 'Used to find the document at ElevenLabs.' }),
  },
  checks: knowledgeChecks(),
  methods: { read_again: readAgain },
  prepare: nameIt,
  async saved(env, change) {
    if ('file' in change.values) await takeFile(env, change)
  },
  removing: removeFiles,
})

function knowledgeChecks(): Check[] {
  return [
    {
      fields: ['url'],
      says: 'A public http or https address.',
      require: ({ after }) => {
        if ((after.kind === 'page' || after.kind === 'site') && !isPublicPage(after.url)) {
          throw new Refusal('refused', 'knowledge-url')
        }
      },
    },
    {
      fields: ['file'],
      says: `A PDF, DOCX, TXT, MD, HTML or EPUB file, ${DOCUMENT_MEGABYTES_MAX} MB or smaller.`,
      async require({ env, after, current }) {
        const { file } = after
        if (typeof file === 'number' && file !== current?.file) await requireFile(env, file)
      },
    },
  ]
}

/** The platform fetches it from outside; this service never does. */
function isPublicPage(written: unknown): boolean {
  if (typeof written !== 'string' || written === '') return true
  if (!URL.canParse(written)) return false
  const { protocol, hostname, username, password } = new URL(written)
  return /^https?:$/.test(protocol) && username === '' && password === '' && !isOwnNetwork(hostname)
}

async function requireFile(env: Env, id: number): Promise<void> {
  const file = await findOwnFile(env, id)
  if (sentFile(file.name) === undefined) throw new Refusal('refused', 'knowledge-file-type')
  if (file.bytes > DOCUMENT_BYTES_MAX) {
    throw new Refusal('refused', 'knowledge-file-size', { megabytes: DOCUMENT_MEGABYTES_MAX })
  }
}

/** A new one without a name gets that of its source; what it is made of is asked for by itself. */
async function nameIt(env: Env, values: Values, current: Row | undefined): Promise<Values> {
  if (current !== undefined || values.name) return values
  return { ...values, name: shortName(await sourceName(env, values)) || NAMELESS }
}

async function sourceName(env: Env, { kind = 'text', text: words, url, file }: Values): Promise<string> {
  if (kind === 'text') return firstLine(words)
  if (kind === 'file') return typeof file === 'number' ? (await findOwnFile(env, file)).name : ''
  if (typeof url !== 'string' || !URL.canParse(url)) return ''
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}

function firstLine(words: unknown): string {
  return typeof words === 'string' ? (words.trim().split('\n', 1)[0] ?? '') : ''
}

function shortName(name: string): string {
  return cleanName(name).slice(0, NAME_CHARS_MAX).toWellFormed()
}
