import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { findFullestSequence } from '../database/id-use.ts'
import type { DeliveryLog } from '../deliveries/log/delivery-log.ts'
import type { Verdict } from '../deliveries/log/delivery-model.ts'
import type { RejectionBudget } from '../deliveries/log/rejection-budget.ts'
import { withinDeadline } from '../deliveries/webhooks/deadline.ts'
import { oldestJobSeconds } from '../jobs/queue-age.ts'
import { embeddedUsed } from './embedded-promise.ts'

const READ_DEADLINE_MS = 2_000
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15]
const MS_PER_SECOND = 1_000

/** One number under the value of a label. */
type Labelled = readonly [value: string, number: number]

interface MetricsParts {
  config: Pick<Config, 'trustProxy'>
  db: Database
  log: DeliveryLog
  rejections: RejectionBudget
}

/** Numbers for those who watch the service. */
export class Metrics {
  readonly registry = new Registry()
  readonly #deliveries: Counter
  readonly #seconds: Histogram

  constructor({ config, db, log, rejections }: MetricsParts) {
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry })
    this.#deliveries = new Counter({
      name: 'connect_deliveries_total',
      help: 'Webhook deliveries by route and verdict',
      labelNames: ['route', 'verdict'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'connect_delivery_seconds',
      help: 'Time to answer a webhook delivery',
      labelNames: ['route'],
      buckets: SECONDS_BUCKETS,
      registers,
    })
    this.gauge('connect_delivery_log_dropped', 'Deliveries that found no room in the delivery log', () => log.dropped)
    this.gauge(
      'connect_rejections_not_logged',
      'Rejected deliveries that were not logged because there were too many of them',
      () => rejections.notLogged,
    )
    this.gauge('connect_jobs_oldest_seconds', 'How long the oldest job that is due has been waiting', () =>
      oldestJobSeconds(db),
    )
    const trusts = 'Whether the headers of a proxy in front are believed (TRUST_PROXY); 0 or 1'
    this.gauge('connect_trusts_proxy', trusts, () => (config.trustProxy === false ? 0 : 1))
    const used = 'How much is used of the sequence of ids that is nearest to its end; 1 is all of it'
    this.gaugeBy('sequence', 'connect_ids_used_ratio', used, async () => {
      const fullest = await findFullestSequence(db)
      return fullest === undefined ? [] : [[fullest.name, fullest.used]]
    })
    if (db.kind === 'server') return
    const reached =
      'How much is used of the calls and deliveries that the embedded database is made for; 1 is all of it'
    this.gauge('connect_embedded_used_ratio', reached, () => embeddedUsed(db))
  }

  /** A number that is read whenever somebody asks; not a number when it cannot be read in time. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        // Numbers are wanted most while something is in trouble: they do not depend on it.
        this.set(await inTime(read).catch(() => Number.NaN))
      },
    })
  }

  /** The same for the values of a label; none when they cannot be read in time. */
  gaugeBy(
    label: string,
    name: string,
    help: string,
    read: () => readonly Labelled[] | Promise<readonly Labelled[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        const labelled = await inTime(read).catch(() => [])
        this.reset()
        for (const [value, number] of labelled) this.set({ [label]: value }, number)
      },
    })
  }

  observe(route: string, verdict: Verdict, ms: number): void {
    this.#deliveries.inc({ route, verdict })
    this.#seconds.observe({ route }, ms / MS_PER_SECOND)
  }
}

function inTime<Read>(read: () => Read | Promise<Read>): Promise<Read> {
  return withinDeadline(Promise.try(read), READ_DEADLINE_MS)
}
