import { redactText } from '../../deliveries/log/redact.ts'
import type { IncomingRequest, Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { elevated, type OpenEnv } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'

/** Characters of the form, and of the answer, that one debug line keeps. */
const TRACED_CHARS_MAX = 8_192

type Asked = Pick<IncomingRequest, 'target' | 'body'>
/**
 * Leaves a line of what was asked and answered in connect.debug; in a transaction of its own, because a line that cannot be
 * written must not cost the caller the answer.
 */
export async function trace(
  open: OpenEnv,
  { target, body }: Asked,
  { reply, log }: { reply: Reply; log: Logger },
): Promise<void> {
  try {
    await open(async (env) => {
      const asked = `POST ${target}\n${body.toString('utf8', 0, TRACED_CHARS_MAX)}`
      const answered = `-> ${reply.status} ${reply.body.slice(0, TRACED_CHARS_MAX)}`
      const message = redactText(`${asked}\n${answered}`, env.settings.secrets).replaceAll('\0', '').toWellFormed()
      // Elevated: tracing is the service's own business, whatever the webhook identity may do.
      await records(elevated(env), 'connect.debug').create([{ model: 'telco.webhook', message }])
    })
  } catch (error) {
    log.warn({ err: asError(error) }, 'a debug line could not be written')
  }
}
