// The whole service beside an emulator for the voice-agent platform, with a worker of its own for the platform's jobs.

import { sql } from '../../../src/database/drizzle.ts'
import { JobQueue } from '../../../src/jobs/queue.ts'
import { syncJobs } from '../../../src/sync/jobs.ts'
import type { SyncProblem, SyncState } from '../../../src/sync/sync-run.ts'
import { telcoPrompts } from '../../../src/telco/speech/spoken-prompts.ts'
import { sdkClient } from '../../../src/voiceai/client/sdk-client.ts'
import { VOICEAI_SYNC } from '../../../src/voiceai/workspace/provider.ts'
import type { VoiceaiParts } from '../../../src/voiceai/workspace/voiceai.ts'
import { FakeVoiceai } from '../../support/fake-voiceai.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

export interface Run {
  id: number
  state: SyncState
  step: string | null
  counts: Record<string, Record<string, number>>
  errors: SyncProblem[]
  differences: { what: string; name?: string; message: string }[]
  summary: string | null
}

export class SyncApp {
  readonly app: TestApp
  readonly fake: FakeVoiceai
  readonly parts: VoiceaiParts
  readonly #queue: JobQueue

  private constructor(app: TestApp, fake: FakeVoiceai, parts: VoiceaiParts, queue: JobQueue) {
    this.app = app
    this.fake = fake
    this.parts = parts
    this.#queue = queue
  }

  static async start(): Promise<SyncApp> {
    const fake = await FakeVoiceai.start()
    // The worker is this one, which does not pause between attempts.
    const app = await TestApp.start({ env: { VOICEAI_BASE_URL: fake.url, WORKER: 'off' } })
    const { platform, media } = app.app
    const client = sdkClient({ settings: platform.settings, baseUrl: fake.url, pause: noPause })
    const parts: VoiceaiParts = { db: app.db, platform, client, prompts: telcoPrompts, media }
    const queue = new JobQueue(app.db, platform.log, syncJobs(VOICEAI_SYNC, parts))
    platform.enqueue = (tx, work) => queue.enqueueIn(tx, work)
    await queue.start({ works: true })
    return new SyncApp(app, fake, parts, queue)
  }

  async stop(): Promise<void> {
    await this.#queue.stop()
    await this.app.stop()
    await this.fake.stop()
  }

  async settings(values: object): Promise<void> {
    const [id] = await this.app.admin.ask<number[]>('connect.settings', 'search')
    await this.app.admin.ask('connect.settings', 'write', { ids: [id], vals: values })
  }

  /** Everything a synchronisation needs, and one voice at the platform. */
  async setUp(): Promise<void> {
    this.fake.voices = [{ voice_id: 'voice_1', name: 'Ann', labels: { accent: 'british', language: 'en' } }]
    await this.settings({
      voiceai_enabled: true,
      voiceai_api_key: this.fake.apiKey,
      api_url: 'https://pbx.example.com',
    })
  }

  /** Presses a button and waits until its run has ended. */
  async run(button = 'voiceai_sync'): Promise<Run> {
    const { run_id: id } = await this.app.admin.ask<{ run_id: number }>('connect.settings', button)
    return this.ended(id)
  }

  ended(id: number): Promise<Run> {
    return eventually(async () => {
      const run = await this.readRun(id)
      return run.state === 'done' || run.state === 'failed' ? run : undefined
    })
  }

  async readRun(id: number): Promise<Run> {
    const [run] = await this.app.admin.ask<Run[]>('connect.sync_run', 'read', { ids: [id] })
    if (run === undefined) throw new Error(`there is no run ${id}`)
    return run
  }

  /** Waits until no push is waiting or being worked on, those that wait for a repeat left out. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const [row] = await this.app.db.query<{ count: number }>(
        sql`select count(*)::int as count from jobs.job where name like 'voiceai-%'
            and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`,
      )
      return row?.count === 0
    })
  }

  async voiceId(): Promise<number> {
    const [id] = await this.app.admin.ask<number[]>('connect.voiceai_voice', 'search')
    if (id === undefined) throw new Error('there is no voice')
    return id
  }

  async makeAgent(values: object = {}): Promise<number> {
    const vals = { name: 'Support', voice: await this.voiceId(), prompt: 'You help callers.', ...values }
    return this.app.admin.ask<number>('connect.voiceai_agent', 'create', { vals_list: vals })
  }

  async toolId(name: string): Promise<number> {
    const domain = [['name', '=', name]]
    const [id] = await this.app.admin.ask<number[]>('connect.voiceai_agent_tool', 'search', { domain })
    if (id === undefined) throw new Error(`there is no tool ${name}`)
    return id
  }

  read(model: string, id: number, fields: string[]): Promise<Record<string, unknown>> {
    return this.app.admin
      .ask<Record<string, unknown>[]>(model, 'read', { ids: [id], fields })
      .then(([row]) => row ?? {})
  }

  write(model: string, id: number, vals: object): Promise<unknown> {
    return this.app.admin.ask(model, 'write', { ids: [id], vals })
  }
}

async function noPause(): Promise<void> {}
