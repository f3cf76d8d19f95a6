import { asError } from '../../errors.ts'
import { type SyncProgress, withProgress } from '../../sync/sync-progress.ts'
import type { SyncKind } from '../../sync/sync-run.ts'
import { listAgentNames } from '../agents/agent-rows.ts'
import { pushAgent } from '../agents/push-agent.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import { regenerateSpeech } from '../speech/speech.ts'
import { type PushOptions, pushTool } from '../tools/push-tool.ts'
import { removeAllTools } from '../tools/remove-tools.ts'
import { listOwnTools } from '../tools/tool-rows.ts'
import { syncVoices } from '../voices/sync-voices.ts'
import { checkDrift } from './drift.ts'
import { sentenceOf } from './keep-failure.ts'
import { syncLanguageModels } from './language-models.ts'
import { type Push, requestPush } from './push-request.ts'
import { requireReady } from './readiness.ts'
import { freshSettings, inServiceEnv, type SyncParts } from './service-env.ts'
import { enablePostCall, pushInitiation, pushPostCall, rotateToken } from './workspace.ts'

/** Failures in a row after which the platform is left alone: the rest would only wait for as many time-outs. */
const SILENT_MAX = 3
const IN_STEP_BUT_OFF =
  'Everything but the webhooks is in step: voice agents are switched off. Switch them on and run SYNC again.'
/** What failed is tried again by itself, a little later. */
const RETRY_SECONDS = 30

/** Steps of each kind of run, in their fixed order (docs/reference/domain.md#voice-agent-sync). */
const STEPS: Readonly<Record<SyncKind, readonly Step[]>> = {
  sync: [
    { name: 'voices', isRequired: true, run: readVoices },
    { name: 'language models', run: syncLanguageModels },
    { name: 'token', isRequired: true, run: rotateToken },
    { name: 'initiation webhook', retry: { kind: 'initiation' }, run: tellInitiation },
    { name: 'post-call webhook', retry: { kind: 'post-call' }, run: tellPostCall },
    { name: 'tools', run: (parts, progress) => pushAllTools(parts, progress, { leavesAgents: true }) },
    { name: 'agents', run: pushAllAgents },
  ],
  tools: [{ name: 'tools', run: pushAllTools }],
  token: [
    { name: 'connection', isRequired: true, run: ({ client }) => client.getSettings() },
    { name: 'token', isRequired: true, run: rotateToken },
    { name: 'initiation webhook', retry: { kind: 'initiation' }, run: pushInitiation },
    { name: 'tools', run: pushAllTools },
  ],
  prompts: [{ name: 'prompts', run: regenerateSpeech }],
  check: [{ name: 'check', run: checkDrift }],
  webhook: [{ name: 'post-call webhook', retry: { kind: 'post-call' }, run: enablePostCallWebhook }],
  remove_tools: [{ name: 'tools', run: removeAllTools }],
}

interface Step {
  name: string
  /** Without it nothing after it makes sense, and nothing has been changed yet. */
  isRequired?: boolean
  /** What is tried again later when the step fails. */
  retry?: Push
  run(parts: SyncParts, progress: SyncProgress): Promise<unknown>
}

/** Works through a run step by step. Never throws for what the platform does: the run says what is not in step. */
export async function workOnRun(parts: SyncParts, { runId, kind }: { runId: number; kind: SyncKind }): Promise<void> {
  await withProgress(parts.db, runId, (progress) => workThrough(parts, progress, kind))
}

async function workThrough(parts: SyncParts, progress: SyncProgress, kind: SyncKind): Promise<void> {
  for (const step of STEPS[kind]) {
    await progress.step(step.name)
    const isDone = await attempt(parts, progress, step)
    if (!isDone && step.isRequired === true) {
      await progress.end(`Stopped at "${step.name}", before anything that agents use was changed. Run it again.`)
      return
    }
  }
  const { voiceaiEnabled } = await freshSettings(parts.platform)
  await progress.end(summary(progress, voiceaiEnabled))
}

async function attempt(parts: SyncParts, progress: SyncProgress, step: Step): Promise<boolean> {
  try {
    requireReady(await freshSettings(parts.platform))
    await step.run(parts, progress)
    return true
  } catch (error) {
    parts.platform.log.warn({ err: asError(error), step: step.name }, 'a step of a synchronisation failed')
    await progress.problem({ message: sentenceOf(error) })
    if (step.retry !== undefined) await retryLater(parts, step.retry)
    return false
  }
}

/** The token must not change before it is known that the key opens more than the voices. */
async function readVoices(parts: SyncParts, progress: SyncProgress): Promise<void> {
  await syncVoices(parts, progress)
  await parts.client.getSettings().catch((error: unknown) => {
    // A platform that shows no settings has not refused the key.
    if (!(error instanceof VoiceaiError) || error.kind !== 'missing') throw error
  })
}

async function tellInitiation(parts: SyncParts, progress: SyncProgress): Promise<void> {
  if (await isOff(parts)) await progress.count('skipped')
  else await pushInitiation(parts)
}

async function tellPostCall(parts: SyncParts, progress: SyncProgress): Promise<void> {
  await progress.count((await isOff(parts)) ? 'skipped' : await pushPostCall(parts))
}

async function enablePostCallWebhook(parts: SyncParts, progress: SyncProgress): Promise<void> {
  await progress.count((await isOff(parts)) ? 'skipped' : await enablePostCall(parts))
}

/** While voice agents are switched off, the platform is told no addresses to ask or to report to. */
async function isOff({ platform }: SyncParts): Promise<boolean> {
  return !(await freshSettings(platform)).voiceaiEnabled
}

async function pushAllTools(
  parts: SyncParts,
  progress: SyncProgress,
  { leavesAgents = false }: PushOptions = {},
): Promise<void> {
  const tools = await listOwnTools(parts.db)
  await progress.count('total', tools.length)
  await pushEach(parts, progress, {
    model: 'connect.voiceai_agent_tool',
    kind: 'tool',
    targets: tools,
    push: ({ id }) => pushTool(parts, id, { isForced: true, leavesAgents }),
  })
}

/** New agents first, so that the rules by which agents hand over can name them. */
async function pushAllAgents(parts: SyncParts, progress: SyncProgress): Promise<void> {
  const agents = await listAgentNames(parts.db)
  await progress.count('total', agents.length)
  const failed = await pushEach(parts, progress, {
    model: 'connect.voiceai_agent',
    kind: 'agent',
    targets: agents.filter((agent) => agent.agent_uid === null),
    push: ({ id }) => pushAgent(parts, id, { isForced: true, leavesAgents: true }),
  })
  await pushEach(parts, progress, {
    model: 'connect.voiceai_agent',
    kind: 'agent',
    targets: agents.filter((agent) => !failed.has(agent.id)),
    push: ({ id, agent_uid: uid }) => pushAgent(parts, id, { isForced: true, pushesNumber: uid !== null }),
  })
}

interface Pushing<Target extends { id: number; name: string }> {
  model: string
  kind: 'tool' | 'agent'
  targets: readonly Target[]
  push(target: Target): Promise<string>
}

/** Pushes all of them even when some fail; the ids of those that did. */
async function pushEach<Target extends { id: number; name: string }>(
  parts: SyncParts,
  progress: SyncProgress,
  { model, kind, targets, push }: Pushing<Target>,
): Promise<Set<number>> {
  const failed = new Set<number>()
  let hopeless: Error | undefined
  let silent = 0
  for (const target of targets) {
    const { id, name } = target
    const failure = hopeless ?? (await failureOf(async () => progress.count(await push(target))))
    silent = isSilent(failure) ? silent + 1 : 0
    if (failure === undefined) continue
    if (isRejected(failure) || silent >= SILENT_MAX) hopeless = failure
    failed.add(id)
    await progress.count('failed')
    await progress.problem({ model, id, name, message: sentenceOf(failure) })
    await retryLater(parts, { kind, id })
  }
  return failed
}

async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return asError(error)
  }
}

function isSilent(failure: Error | undefined): boolean {
  return failure instanceof VoiceaiError && failure.kind === 'unavailable'
}

/** With a key that is not accepted, every further request has the same answer. */
function isRejected(failure: Error): boolean {
  return failure instanceof VoiceaiError && failure.kind === 'credentials'
}

async function retryLater(parts: SyncParts, push: Push): Promise<void> {
  await inServiceEnv(parts, (env) => requestPush(env, push, { delaySeconds: RETRY_SECONDS }))
}

function summary({ problems, differences }: SyncProgress, isOn: boolean): string {
  if (problems.length === 0 && differences.length > 0) {
    return `The platform differs from this service in ${differences.length} places.`
  }
  if (problems.length === 0) return isOn ? 'Everything is in step.' : IN_STEP_BUT_OFF
  const names = [...new Set(problems.map(({ name, step }) => name ?? step))]
  const again = isOn ? 'It is tried again by itself; it can also be run again.' : 'Run it again.'
  return `Not in step: ${names.join(', ')}. ${again}`
}
