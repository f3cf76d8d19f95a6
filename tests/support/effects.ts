import type { Env } from '../../src/platform/access/env.ts'
import { envOf } from '../../src/platform/api/rpc.ts'
import type { TelcoRequest } from '../../src/telco/webhooks/request.ts'
import type { TestApp } from './test-app.ts'

/** Runs work as the webhooks do: their identity, one transaction. */
export async function asWebhook<Result>(app: TestApp, work: (env: Env) => Promise<Result>): Promise<Result> {
  const { platform, identities } = app.app
  const [settings, identity] = [await platform.settings.get(), await identities.webhook()]
  return app.db.transaction((tx) => work(envOf({ platform, settings, identity }, tx)))
}

/** A verified request with this form, as the effects get it. */
export function aTelcoRequest(form: Record<string, string>, query = ''): TelcoRequest {
  return { form, query: new URLSearchParams(query), event: undefined, params: {} }
}
