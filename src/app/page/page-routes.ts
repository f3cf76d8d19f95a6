import { mkdirSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Queryable } from '../../database/database.ts'
import { readCookie } from '../../platform/identity/cookies.ts'
import { isSetUp } from '../../platform/settings/set-up.ts'
import type { PageBuild } from './page-build.ts'
import { DIST } from './source-hash.ts'
import { conversationHost, StartDocument, sendWaiting } from './start-document.ts'

/** Addresses that are the service's own: what is unknown below them is no page. */
const OWN = /^\/(?:connect|telco|(?:json|api|web|healthz|readyz|metrics|assets)(?:[/?]|$))/
const READING = ['GET', 'HEAD']
/** Names of assets carry a hash of their content. */
const ASSET_AGE = '365d'

/** How far the build is. */
type Progress = Pick<PageBuild, 'state' | 'hash'>

/** Answers an address that nobody else knows with the page; undefined when it is none of the page's. */
export type PageAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined

/** Where somebody comes first, from the address alone or from the printed link: there, something is always said. */
const FIRST = ['/', '/setup']

const WITHOUT_PAGE = `Connect is running. It serves no page to this request: either PAGE=off is set, or no HTML was asked for.
The API is described at /api/docs. On the machine of the service, "npx connect user create --help" says how the first
administrator is made, and "npx connect doctor" what is missing.
`

/**
 * Serves the assets of the built page, and says what a browser gets for an address of it. Without a build only the first
 * addresses answer, in plain text.
 */
export function servePage(
  http: FastifyInstance,
  { db, build, voiceaiBaseUrl }: { db: Queryable; build: Progress | undefined; voiceaiBaseUrl: string },
): PageAnswer | undefined {
  const answer = build === undefined ? undefined : pageAnswer({ db, build, voiceaiBaseUrl })
  if (build !== undefined) serveAssets(http)
  for (const address of FIRST) {
    http.get(
      address,
      (request, reply) => answer?.(request, reply) ?? reply.type('text/plain; charset=utf-8').send(WITHOUT_PAGE),
    )
  }
  return answer
}

function pageAnswer({
  db,
  build,
  voiceaiBaseUrl,
}: {
  db: Queryable
  build: Progress
  voiceaiBaseUrl: string
}): PageAnswer {
  const document = new StartDocument(conversationHost(voiceaiBaseUrl))
  return (request, reply) => (wantsPage(request) ? answer(request, reply) : undefined)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // The first language counts; the page itself looks at all of them.
    const language = /^\s*de\b/i.test(request.headers['accept-language'] ?? '') ? 'de' : 'en'
    if (build.state !== 'ready') return sendWaiting(reply, build.state, language)
    const visitor = readCookie(request, 'connect_session') === undefined ? 'new' : 'known'
    return document.send(reply, { isSetUp: await isSetUp(db), build: build.hash }, { visitor, language })
  }
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return READING.includes(method) && !OWN.test(url) && headers.accept?.includes('text/html') === true
}

function serveAssets(http: FastifyInstance): void {
  const root = path.join(DIST, 'assets')
  // The library wants a folder at once; the build comes later, or the folder may be nobody's to write.
  try {
    mkdirSync(root, { recursive: true })
  } catch {
    return
  }
  const options = { root, serve: false, index: false, dotfiles: 'ignore', preCompressed: true } as const
  http.register(async (assets) => {
    await assets.register(fastifyStatic, { ...options, immutable: true, maxAge: ASSET_AGE })
    // The library's own route lists the folder at each request, to compare how a name is spelt; a hashed name needs no such look.
    assets.get<{ Params: { name: string } }>('/assets/:name', ({ params }, reply) => reply.sendFile(params.name))
  })
}
