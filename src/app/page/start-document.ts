import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../platform/chatter/text-to-html.ts'
import { DIST } from './source-hash.ts'

/** What `web/index.html` has in the places of what only the answer knows. */
const NONCE_PLACE = /__NONCE__/g
const FACTS_PLACE = '__FACTS__'
const VISITOR_PLACE = '__VISITOR__'
const LANGUAGE_PLACE = '__LANGUAGE__'
const NONCE_BYTES = 18

/** What the page is told before it asks anything. */
interface Facts {
  /** Whether somebody can sign in yet. */
  isSetUp: boolean
  /** Which build this is. */
  build: string
}

/** Who asks for the page, as far as their request tells. */
interface Visitor {
  /** Known by the cookie of a session, whether or not it is over. */
  visitor: 'known' | 'new'
  language: 'en' | 'de'
}

/** The document that every address of the page is answered with, which draws a skeleton by itself; read anew when the build is another one. */
export class StartDocument {
  readonly #talksWith: string
  #read: { build: string; html: string } | undefined

  /** `talksWith`: where a conversation with an agent is held, such as `wss://api.elevenlabs.io`. */
  constructor(talksWith: string) {
    this.#talksWith = talksWith
  }

  /** The skeleton has a rail for visitors who are known, and says in their language that the page is late. */
  send(reply: FastifyReply, facts: Facts, { visitor, language }: Visitor): FastifyReply {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url')
    const html = this.#html(facts.build)
      .replace(FACTS_PLACE, () => escapeHtml(JSON.stringify(facts)))
      .replace(VISITOR_PLACE, visitor)
      .replace(LANGUAGE_PLACE, language)
      .replace(NONCE_PLACE, nonce)
    return sendPage(reply, { nonce, html, talksWith: this.#talksWith })
  }

  #html(build: string): string {
    if (this.#read?.build !== build) {
      this.#read = { build, html: readFileSync(path.join(DIST, 'index.html'), 'utf8') }
    }
    return this.#read.html
  }
}

const SENTENCES = {
  building: {
    en: [
      'Connect is being prepared',
      'The page is built once, which takes a few seconds. It opens by itself. Calls are answered meanwhile.',
    ],
    de: [
      'Connect wird vorbereitet',
      'Die Seite wird einmal gebaut, das dauert einige Sekunden. Sie öffnet sich von selbst. Anrufe werden inzwischen beantwortet.',
    ],
  },
  failed: {
    en: [
      'The page could not be built',
      'The service runs on, and calls are answered. Its log says why the build failed. Until it is mended, the command line sets the service up: npx connect --help.',
    ],
    de: [
      'Die Seite konnte nicht gebaut werden',
      'Der Dienst läuft weiter, und Anrufe werden beantwortet. Sein Protokoll sagt, warum der Bau gescheitert ist. Bis das behoben ist, richtet die Befehlszeile den Dienst ein: npx connect --help.',
    ],
  },
} as const
const AGAIN_SECONDS = 1
const AGAIN_MS = AGAIN_SECONDS * 1_000

/**
 * What is shown while there is no page: it looks again by itself while one is being built. A script does, for a declared refresh
 * of an address with a fragment, as the printed link is, only goes to the fragment (HTML, "navigate", step 15).
 */
export function sendWaiting(
  reply: FastifyReply,
  state: keyof typeof SENTENCES,
  language: Visitor['language'],
): FastifyReply {
  const [title, sentence] = SENTENCES[state][language]
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const again =
    state === 'building' ? `<script nonce="${nonce}">setTimeout(() => location.reload(), ${AGAIN_MS})</script>` : ''
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8">${again}
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style nonce="${nonce}">
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:28rem;padding:0 1rem;color:#14201c;background:#f3f5f4}
h1{font-size:1.25rem}@media(prefers-color-scheme:dark){body{color:#e6ece9;background:#0e1412}}</style></head>
<body><main><h1>${title}</h1><p role="status">${sentence}</p></main></body></html>`
  return sendPage(reply.code(503).header('retry-after', String(AGAIN_SECONDS)), { nonce, html, isWaiting: true })
}

/** The one host beside ours that the page reaches: that of the platform's conversations. */
export function conversationHost(baseUrl: string): string {
  const { protocol, host } = new URL(baseUrl)
  return `${protocol === 'http:' ? 'ws' : 'wss'}://${host}`
}

/**
 * Nothing runs that we did not serve, and nothing is sent elsewhere but what somebody says to an agent they try; styles that
 * libraries write bring the nonce.
 */
function sendPage(
  reply: FastifyReply,
  { nonce, html, talksWith, isWaiting }: { nonce: string; html: string; talksWith?: string; isWaiting?: boolean },
): FastifyReply {
  const policy = [
    "default-src 'none'",
    isWaiting === true ? `script-src 'nonce-${nonce}'` : "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...(talksWith === undefined ? [] : [talksWith])].join(' '),
    "media-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
      vary: 'accept, accept-language',
    })
    .send(html)
}
