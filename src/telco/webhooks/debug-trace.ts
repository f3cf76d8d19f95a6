import { redactText, secretsOf } from '../../deliveries/log/redact.ts'
import type { Arrival, OpenEnv, Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { asError } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'

/** Characters of the form, and of the answer, that one debug line keeps. */
const TRACED_CHARS_MAX = 8_192

type Asked = Pick<Arrival, 'target' | 'body'>
type Work = (open: OpenEnv) => Promise<Reply>

/** Does the work of a request and, in debug mode, leaves a line of what was asked and answered in connect.debug. */
export async function traced(open: OpenEnv, arrival: Asked, work: Work): Promise<Reply> {
  let seen: Env | undefined
  const reply = await work((inside) =>
    open((env) => {
      seen = env
      return inside(env)
    }),
  )
  if (seen?.settings.isDebugging === true) await trace(open, arrival, { reply, log: seen.platform.log })
  return reply
}

/** In a transaction of its own: a line that cannot be written must not cost the caller the answer. */
async function trace(
  open: OpenEnv,
  { target, body }: Asked,
  { reply, log }: { reply: Reply; log: Env['platform']['log'] },
): Promise<void> {
  try {
    await open(async (env) => {
      const asked = `POST ${target}\n${body.toString('utf8', 0, TRACED_CHARS_MAX)}`
      const answered = `-> ${reply.status} ${reply.body.slice(0, TRACED_CHARS_MAX)}`
      const message = redactText(`${asked}\n${answered}`, secretsOf(env.settings)).replaceAll('\0', '').toWellFormed()
      // Elevated: tracing is the service's own business, whatever the webhook identity may do.
      await records(elevated(env), 'connect.debug').create([{ model: 'telco.webhook', message }])
    })
  } catch (error) {
    log.warn({ err: asError(error) }, 'a debug line could not be written')
  }
}
