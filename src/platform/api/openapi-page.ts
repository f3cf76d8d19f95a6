import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

const FOLDER = path.join(import.meta.dirname, 'docs-page')

/** Its files, by address. */
const FILES = {
  '/api/docs': { file: 'docs.html', type: 'text/html; charset=utf-8' },
  '/api/docs.js': { file: 'docs.js', type: 'text/javascript; charset=utf-8' },
  '/api/docs.css': { file: 'docs.css', type: 'text/css; charset=utf-8' },
} as const

/** Only its own two files, and what the script asks of us. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A page that reads the API document and shows it; it loads nothing from anywhere else. */
export function openApiPageRoutes(scope: FastifyInstance): void {
  for (const [address, { file, type }] of Object.entries(FILES)) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8')
    scope.get(address, (_request, reply) =>
      reply.type(type).headers({ 'cache-control': 'no-cache', 'content-security-policy': POLICY }).send(text),
    )
  }
}
