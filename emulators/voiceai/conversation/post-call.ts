import { createHmac } from 'node:crypto'
import type { Faults } from '../../faults.ts'
import type { Problems } from '../../problems.ts'
import type { Outcome, ServiceLink } from '../../service-link.ts'
import type { Workspace, WorkspaceWebhook } from '../workspace.ts'

export interface PostCallParts {
  readonly workspace: Workspace
  readonly link: ServiceLink
  readonly problems: Problems
  readonly faults: Faults
  readonly signatureHeader: string
}

/** A post-call delivery that was made, for the person who asks afterwards. */
export interface DeliveredPostCall {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: Outcome
}

export type PostCallType = 'post_call_transcription' | 'post_call_audio' | 'call_initiation_failure'

/** The names under which deliveries are switched on in the settings. */
const EVENTS: Readonly<Record<PostCallType, string>> = {
  post_call_transcription: 'transcript',
  post_call_audio: 'audio',
  call_initiation_failure: 'call_initiation_failure',
}

/** The analysis takes this long. */
const READY_AFTER_SECONDS = 5
/** When a failed delivery of a transcript is repeated, if the webhook is set so. */
const RETRY_AFTER_SECONDS = [0, 30, 120, 480, 1_800]
/** When a webhook is disabled: so many failures in a row, and no success for so long (elevenlabs.io/docs/eleven-api/resources/webhooks). */
const FAILURES_MAX = 10
const SUCCESS_SECONDS = 7 * 86_400
const TIMEOUT_MS = 30_000
const MS_PER_SECOND = 1_000

/** Delivers what conversations left behind, signed with the secret that the webhook was given (D3, D4). */
export class PostCall {
  readonly delivered: DeliveredPostCall[] = []
  readonly #parts: PostCallParts

  constructor(parts: PostCallParts) {
    this.#parts = parts
  }

  /** Delivers one event to the webhook that the settings select for it, if any. Returns at once. */
  deliver(type: PostCallType, data: unknown): void {
    const { workspace, faults } = this.#parts
    const { post_call_webhook_id: id, events: wanted = ['transcript'] } = workspace.settings.webhooks ?? {}
    const webhook = workspace.webhooks.get(id ?? '')
    if (webhook === undefined || webhook.isDisabled || webhook.isAutoDisabled) return
    if (!wanted.includes(EVENTS[type])) return
    const body = JSON.stringify({ type, event_timestamp: workspace.clock.unixSeconds, data })
    const { delaysSeconds, isForged } = faults.plan()
    if (isForged) void workspace.clock.during(() => this.#forge(webhook, body))
    for (const seconds of delaysSeconds) void this.#deliverLater(webhook, { type, body, seconds })
  }

  async #deliverLater(
    webhook: WorkspaceWebhook,
    { type, body, seconds }: { type: PostCallType; body: string; seconds: number },
  ): Promise<void> {
    const { workspace, problems } = this.#parts
    await workspace.clock.sleep(READY_AFTER_SECONDS + seconds)
    const isRepeated = webhook.isRetryEnabled && type === 'post_call_transcription'
    for (const pause of isRepeated ? RETRY_AFTER_SECONDS : [0]) {
      await workspace.clock.sleep(pause)
      const outcome = await workspace.clock.during(() => this.#send(webhook, webhook.secret, body))
      this.#note(webhook, outcome)
      if (outcome.kind === 'answered' && outcome.status === 200) return
      const what = outcome.kind === 'answered' ? `HTTP ${outcome.status}` : outcome.message
      problems.add({ where: 'voiceai', message: `${type} was answered with ${what}, not with 200` })
      if (outcome.kind === 'answered' && !isWorthRepeating(outcome.status)) return
    }
  }

  async #send(webhook: WorkspaceWebhook, secret: string, body: string): Promise<Outcome> {
    const { link, signatureHeader } = this.#parts
    // The service compares with its own clock, so this is the real time.
    const timestamp = Math.floor(Date.now() / MS_PER_SECOND)
    const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      [signatureHeader]: `t=${timestamp},v0=${digest}`,
      ...webhook.requestHeaders,
      ...(body.includes('"full_audio"') ? { 'transfer-encoding': 'chunked' } : {}),
    }
    const outcome = await link.send({ method: 'POST', url: webhook.url, headers, body, timeoutMs: TIMEOUT_MS })
    this.delivered.push({ url: webhook.url, body, headers, outcome })
    return outcome
  }

  #note(webhook: WorkspaceWebhook, outcome: Outcome): void {
    const status = outcome.kind === 'answered' ? outcome.status : 0
    if (status === 200) {
      webhook.failuresInARow = 0
      webhook.lastSuccessSeconds = this.#parts.workspace.clock.unixSeconds
      return
    }
    webhook.failuresInARow += 1
    const now = this.#parts.workspace.clock.unixSeconds
    webhook.lastFailure = { code: status, atSeconds: now }
    const isForgotten = now - (webhook.lastSuccessSeconds ?? 0) > SUCCESS_SECONDS
    webhook.isAutoDisabled = webhook.failuresInARow >= FAILURES_MAX && isForgotten
  }

  /** Somebody who does not know the secret; the service must refuse. */
  async #forge(webhook: WorkspaceWebhook, body: string): Promise<void> {
    const outcome = await this.#send(webhook, 'wsec_guessed', body)
    if (outcome.kind === 'answered' && outcome.status !== 401) {
      const message = `a forged post-call delivery was answered with HTTP ${outcome.status}`
      this.#parts.problems.add({ where: 'voiceai', message })
    }
  }
}

function isWorthRepeating(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}
