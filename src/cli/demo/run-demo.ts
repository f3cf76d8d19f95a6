import path from 'node:path'
import { type Connection, readSettings, ServiceRefusal } from '../../app/own-api/connection.ts'
import { setupLink } from '../../app/start-text.ts'
import type { Config } from '../../config.ts'
import {
  announceScenarios,
  describeReport,
  loadSimulation,
  refusingAsCommand,
  type ScenarioReport,
  type Simulation,
} from '../emulators.ts'
import { findLocalService, type LocalService, serviceConnection } from '../service/local-service.ts'
import type { Service } from '../service/run-service.ts'
import type { Output } from '../terminal/output.ts'
import { untilSignal } from '../terminal/until-signal.ts'
import { prepareFolder, startDemoService } from './demo-service.ts'
import { signedInAddress } from './guest.ts'
import { type Chapter, markNewest, readWhole, tell } from './story.ts'

interface DemoOptions {
  folder: string
  /** Names of scenarios; all of them when left out. */
  names: readonly string[] | undefined
  isKept: boolean
  /** On the database that DATABASE_URL names, in place of the embedded one. */
  onServer: boolean
  endsAfterCalls: boolean
  paceSeconds: number
  /** The configuration of the person who gave the command. */
  personal: Config
  /** When the command was given, in milliseconds since 1970. */
  startedAtMs: number
}

interface Demo {
  service: Service
  local: LocalService
  connection: Connection
  simulation: Simulation
}

/** What came of all calls; the time is counted from the command to the first ticket that was read back. */
interface Played {
  chapters: Chapter[]
  firstTicketSeconds: number | null
}

const STATE_FILE = 'providers.json'
const MS_PER_SECOND = 1_000
const EXIT_INTERRUPTED = 130
const COMPANY = 'Acme Plumbing'
const COUNTRY = 'US'
const ENDS = 'Ctrl-C ends the demo.'

/** Starts everything on this machine, plays calls, tells what came of them, and stays until a signal comes. */
export async function runDemo(options: DemoOptions, output: Output): Promise<void> {
  const { interrupted, forget } = untilSignal()
  const demo = await start(options, output).catch((error: unknown) => {
    forget()
    throw error
  })
  try {
    const played = await Promise.race([play(demo, options, output), interrupted])
    if (typeof played === 'string') return await leave(demo)
    await conclude(demo, played, options, output)
    if (!options.endsAfterCalls) await interrupted
    const { failed, sentence } = describeEnding(played.chapters)
    if (failed > 0) throw new Error(sentence)
  } finally {
    forget()
    await demo.service.stop()
    await demo.simulation.stop()
  }
}

async function start(options: DemoOptions, output: Output): Promise<Demo> {
  const { folder, names, paceSeconds } = options
  const { findScenarios, startSimulation } = await loadSimulation()
  await refusingAsCommand(async () => findScenarios(names))
  const running = await findLocalService({ dataDir: folder })
  if (running !== undefined) throw new ServiceRefusal(409, `A demo runs in ${folder} already, at ${running.address}.`)
  prepareFolder(folder, options)
  output.say(`Everything is kept in ${folder}, which the next demo empties.`)
  const stateFile = path.join(folder, STATE_FILE)
  const simulation = await startSimulation({
    telcoPort: 0,
    voiceaiPort: 0,
    paceMs: paceSeconds * MS_PER_SECOND,
    stateFile,
  })
  try {
    const service = await startDemoService({ ...options, emulators: simulation.environment })
    output.say(`The service listens on ${service.address}; both providers are emulators on this machine.`)
    const local = await findLocalService({ dataDir: folder })
    if (local === undefined) throw new Error(`the service does not answer at ${service.address}`)
    const connection = serviceConnection(local)
    await settleIn(connection)
    return { service, simulation, local, connection }
  } catch (error) {
    await simulation.stop()
    throw error
  }
}

/**
 * The company of the scenarios is where its numbers are, so that they are found as people there write them; its clock is the one of
 * the person who looks on.
 */
async function settleIn(connection: Connection): Promise<void> {
  const { id } = await readSettings<{ id: number }>(connection, ['id'])
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  await connection.call('connect.settings', 'write', {
    ids: [id],
    vals: { company_name: COMPANY, country_id: COUNTRY, tz: zone },
  })
}

async function play(demo: Demo, options: DemoOptions, output: Output): Promise<Played> {
  const { names, paceSeconds, startedAtMs, endsAfterCalls } = options
  const { local, connection, simulation } = demo
  const played: Played = { chapters: [], firstTicketSeconds: null }
  let marks = await markNewest(connection)
  const add = async (report: ScenarioReport): Promise<void> => {
    const found = await readWhole(connection, marks)
    const seconds = Math.ceil((Date.now() - startedAtMs) / MS_PER_SECOND)
    marks = await markNewest(connection)
    played.chapters.push({ ...report, found })
    output.say([describeReport(report), ...tell(found, local.address)].join('\n'))
    if (played.firstTicketSeconds !== null || found.ticket.length === 0) return
    played.firstTicketSeconds = seconds
    output.say(`First ticket created by a call: ${seconds} s after the command.`)
    const page = endsAfterCalls ? undefined : await pageOf(demo, played.chapters)
    if (page !== undefined) output.say(`Look at it while the others are played: ${page} (opens signed in, works once)`)
  }
  const onReady = (): void => output.say('The credentials are entered, and SYNC has set both providers up.\n')
  await refusingAsCommand(() =>
    simulation.play({
      serviceUrl: local.address,
      key: local.key,
      names,
      withAudio: true,
      onReady,
      onBegin: announceScenarios(paceSeconds, output),
      onReport: add,
    }),
  )
  return played
}

function pageOf({ service: { app, address }, connection }: Demo, chapters: readonly Chapter[]) {
  return signedInAddress({ app, address, connection }, chapters)
}

/** Says what came of everything and where to look; for programs, all of it as one document. */
async function conclude(
  demo: Demo,
  { chapters, firstTicketSeconds }: Played,
  { folder, endsAfterCalls }: DemoOptions,
  output: Output,
): Promise<void> {
  // Nobody can follow the link, nor look around, once the service has stopped.
  const { app, db, address } = demo.service
  const link = endsAfterCalls ? undefined : await setupLink({ platform: app.platform, db, address })
  const page = endsAfterCalls ? undefined : await pageOf(demo, chapters)
  const whereToLook = endsAfterCalls
    ? []
    : [...placesToLook(address, link), ...commandsToTry(folder, chapters), ...pageToOpen(page)]
  output.done(['', describeEnding(chapters).sentence, ...whereToLook].join('\n'), {
    address,
    folder,
    first_ticket_seconds: firstTicketSeconds,
    ...(link === undefined ? {} : { setup_url: link }),
    ...(page === undefined ? {} : { page_url: page }),
    scenarios: chapters.map(({ found, ...report }) => ({ ...report, ...found })),
  })
}

function describeEnding(chapters: readonly Chapter[]): { failed: number; sentence: string } {
  const failed = chapters.filter(({ complaints }) => complaints.length > 0).length
  const count = (kind: keyof Chapter['found']): string =>
    `${kind}s: ${chapters.reduce((sum, { found }) => sum + found[kind].length, 0)}`
  const counts = (['call', 'ticket', 'meeting', 'recording', 'message'] as const).map(count).join(', ')
  const result =
    failed === 0 ? `All ${chapters.length} scenarios went well` : `${failed} of ${chapters.length} scenarios failed`
  return { failed, sentence: `${result}. ${counts}.` }
}

function placesToLook(address: string, link: string | undefined): string[] {
  const signIn = link === undefined ? address : `${link} (creates the first administrator, works once)`
  return ['', `Sign in:      ${signIn}`, `API:          ${address}/api/docs`]
}

/** Last, as it is what most people want. */
function pageToOpen(page: string | undefined): string[] {
  const look = page === undefined ? [] : [`Look at it:   ${page} (opens signed in, works once)`]
  return [...look, ENDS]
}

function commandsToTry(folder: string, chapters: readonly Chapter[]): string[] {
  const command = `DATA_DIR=${path.relative('', folder) || '.'} bin/connect`
  const calls = chapters.flatMap(({ found }) => found.call)
  const [call] = calls
  if (call === undefined) return [`Command line: ${command} call list`]
  // Why a call went wrong asks for more than why one went well.
  const broken = calls.find(({ outcome }) => outcome === 'failed') ?? call
  return [
    `Command line: ${command} call list`,
    `              ${command} call timeline ${call.id}    what happened, in order`,
    `              ${command} call explain ${broken.id}     why it ended as it did, and what mends it`,
  ]
}

/** A call that was cut off would keep the process for as long as it had still to go on. */
async function leave({ service, simulation }: Demo): Promise<never> {
  await service.stop()
  await simulation.stop()
  process.exit(EXIT_INTERRUPTED)
}
