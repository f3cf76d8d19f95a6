import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { StepContext, SyncProvider, SyncStep } from '../../sync/provider.ts'
import { ifPresent } from '../../sync/push.ts'
import { pushesOf } from '../../sync/resource.ts'
import type { SyncKind } from '../../sync/sync-run.ts'
import { agentResource, syncAgents } from '../agents/agent-resource.ts'
import { compareNumbers, pushChangedNumber } from '../agents/push-number.ts'
import { followCrawl } from '../knowledge/follow-crawl.ts'
import { knowledgeResource } from '../knowledge/knowledge-resource.ts'
import { generateSpeech, regenerateSpeech } from '../speech/speech.ts'
import { removeAllTools } from '../tools/remove-tools.ts'
import { toolResource } from '../tools/tool-resource.ts'
import { removeTrial } from '../trials/remove-trial.ts'
import { syncVoices } from '../voices/sync-voices.ts'
import { compareWorkspace } from './drift.ts'
import { type Push, VOICEAI, type VoiceaiParts } from './voiceai.ts'
import { enablePostCall, pushInitiation, pushPostCall, rotateToken, saveSettings } from './workspace.ts'

const IN_SYNC_BUT_OFF =
  'Everything but the webhooks is in sync: voice agents are switched off. Switch them on and sync again.'

type Step = SyncStep<VoiceaiParts, Push>

const CONNECTION: Step = { name: 'connection', isRequired: true, run: ({ client }) => client.getSettings() }
const VOICES: Step = { name: 'voices', isRequired: true, run: syncVoicesAndKey }
const MODELS: Step = { name: 'language models', run: syncLanguageModels }
const TOKEN: Step = { name: 'token', isRequired: true, isPointOfNoReturn: true, run: rotateToken }
const INITIATION: Step = { name: 'initiation webhook', retry: { kind: 'initiation' }, run: pushInitiation }
const POST_CALL: Step = {
  name: 'post-call webhook',
  retry: { kind: 'post-call' },
  skips: whileOff,
  run: counted(pushPostCall),
}
const TOOLS: Step = toolResource.step

/** Steps of each kind of run, in their fixed order (docs/reference/domain.md#voice-agent-sync). */
const STEPS: Readonly<Record<SyncKind, readonly Step[]>> = {
  sync: [
    VOICES,
    MODELS,
    TOKEN,
    { ...INITIATION, skips: whileOff },
    POST_CALL,
    toolResource.stepWith({ leavesAgents: true }),
    knowledgeResource.stepWith({ leavesAgents: true }),
    { ...agentResource.step, run: syncAgents },
  ],
  tools: [TOOLS],
  token: [CONNECTION, TOKEN, INITIATION, TOOLS],
  prompts: [{ name: 'prompts', run: regenerateSpeech }],
  check: [],
  webhook: [{ ...POST_CALL, run: counted(enablePostCall) }],
  remove_tools: [{ name: 'tools', run: removeAllTools }],
}

/** What saves push, in this order, and removals in the opposite one: agents lose a tool before it goes. */
export const VOICEAI_RESOURCES = [toolResource, knowledgeResource, agentResource] as const

/** How this service synchronises with the voice-agent platform. */
export const VOICEAI_SYNC: SyncProvider<VoiceaiParts, Push> = {
  ...VOICEAI,
  steps: STEPS,
  pushes: {
    ...pushesOf(VOICEAI_RESOURCES),
    number: (parts, { id }) => pushChangedNumber(parts, id),
    initiation: pushInitiation,
    'post-call': pushPostCall,
    speech: (parts, { fileId }) => generateSpeech(parts, fileId),
    crawl: followCrawl,
    'remove-trial': removeTrial,
  },
  drift: [{ compare: compareWorkspace }, ...VOICEAI_RESOURCES, { compare: compareNumbers }],
  checkCron: '41 4 * * *',
  sentences: {
    unchanged: 'anything that agents use',
    subject: 'ElevenLabs',
    inSync: ({ voiceaiEnabled }) => (voiceaiEnabled ? 'Everything is in sync.' : IN_SYNC_BUT_OFF),
    remedy: ({ voiceaiEnabled }) =>
      voiceaiEnabled ? 'It is tried again by itself; it can also be run again.' : 'Run it again.',
  },
}

/** The token must not change before it is known that the key opens more than the voices. */
async function syncVoicesAndKey(parts: VoiceaiParts, context: StepContext): Promise<void> {
  await syncVoices(parts, context)
  // A platform that shows no settings has not refused the key.
  await ifPresent(VOICEAI, () => parts.client.getSettings())
}

/** Learns which language models agents can have. An account without such a list has the models that we know. */
async function syncLanguageModels(parts: VoiceaiParts, { progress }: StepContext): Promise<void> {
  const models = (await ifPresent(VOICEAI, () => parts.client.listLanguageModels())) ?? []
  if (models.length === 0) return
  const llms = models.map(({ name, isDeprecated, replacement }) => ({
    name,
    is_deprecated: isDeprecated,
    ...(replacement === undefined ? {} : { replacement }),
  }))
  await saveSettings(parts, { voiceai_llms: llms })
  await progress.count('found', models.length)
}

/** A step that is one push, and counts how it ended. */
function counted(push: typeof enablePostCall): Step['run'] {
  return async (parts, { progress }) => progress.count(await push(parts))
}

/** While voice agents are switched off, the platform gets no addresses to ask or to report to. */
function whileOff({ voiceaiEnabled }: SettingsSnapshot): object | undefined {
  return voiceaiEnabled ? undefined : {}
}
