import { type HttpRoute, jsonReply } from '../../http-server.ts'
import { iso8601 } from '../dates.ts'
import type { RestParts } from './classic-resource.ts'
import { productPage } from './pages.ts'
import { notFound } from './rest-error.ts'

/**
 * What the provider objected to, as its debugger lists it (SDK twilio 6.2.0, `monitor/v1/alert`): the problems of this
 * emulator that have a code of the provider.
 */
export function alertRoutes({ account, clock, problems }: RestParts): HttpRoute[] {
  return [
    {
      method: 'GET',
      path: '/v1/Alerts',
      handle(request) {
        const date = iso8601(clock.now())
        const found = problems.all.filter(({ where, code }) => where === 'telco' && code !== undefined)
        const alerts = found.map(({ code, message }) => ({
          account_sid: account.sid,
          error_code: String(code),
          log_level: 'error',
          alert_text: message,
          date_generated: date,
        }))
        return productPage(request, 'alerts', alerts)
      },
    },
  ]
}

/** API keys of the account (`/2010-04-01/Accounts/{AccountSid}/Keys/{Sid}.json` of twilio_api_v2010.json); no secrets. */
export function keyRoutes({ account, clock }: RestParts): HttpRoute[] {
  return [
    {
      method: 'GET',
      path: '/Keys/:sid.json',
      handle({ params, path }) {
        const sid = params.sid ?? ''
        if (!account.apiKeys.has(sid)) throw notFound(path)
        const date = iso8601(clock.now())
        return jsonReply(200, { sid, friendly_name: 'Web phone', date_created: date, date_updated: date })
      },
    },
  ]
}
