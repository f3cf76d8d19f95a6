import type { FastifyInstance } from 'fastify'

/** What a browser is told of our pages: nobody frames them, and their addresses are told to nobody. */
const OF_PAGES = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}

/** Adds to every answer that it is what its content type says, and to pages how browsers are to treat them. */
export function pageHeaders(http: FastifyInstance): void {
  http.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('x-content-type-options', 'nosniff')
    const type = reply.getHeader('content-type')
    if (typeof type === 'string' && type.startsWith('text/html')) reply.headers(OF_PAGES)
    done(null, payload)
  })
}
