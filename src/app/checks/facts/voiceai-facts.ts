import { type InstallationCheck, note, type Outcome, ok, wrong } from '../finding.ts'
import { type Asked, answerCheck, listIn, objectIn, type ReadOnly } from './read-only.ts'

const CONVERSATIONS = '/v1/convai/conversations'
const NEWEST = `${CONVERSATIONS}?page_size=100`
const DETAILS_MAX = 5
/** Our own names among the variables of a conversation; the platform derives the first from our SIP header. */
const CALL_VARIABLES = ['sip_connect_call_ref', 'call_id'] as const
const TEST_CALL = 'Call a number that leads to a voice agent, speak, hang up, and run this again.'

/** What only a real workspace of the voice-agent platform shows. */
export const VOICEAI_FACTS: readonly InstallationCheck<Asked>[] = [
  answerCheck('voiceai phone lines', at('/v1/convai/phone-numbers'), lookAtLines),
  answerCheck('voiceai language models', at('/v1/convai/llm/list'), lookAtLanguageModels),
  answerCheck('voiceai webhook', at('/v1/workspace/webhooks?include_usages=true'), lookAtWebhook),
  answerCheck('voiceai conversations', at(NEWEST), lookAtConversations),
  answerCheck('voiceai calls', at(NEWEST), lookAtCalls),
]

function at(path: string): (asked: Asked) => ReturnType<ReadOnly['voiceai']> {
  return ({ read }) => read.voiceai(path)
}

/** Each agent is called over SIP under its own id, which the platform must know as a number that leads to it. */
function lookAtLines(body: unknown, { agents }: Asked): Outcome | Outcome[] {
  const lines = listIn(body)
  const pushed = agents.filter(({ agent_uid: uid }) => uid !== null)
  if (pushed.length === 0) return note('there is no agent at the platform yet', 'connect sync voiceai')
  const missing = pushed.filter(({ agent_uid: uid }) => !lines.some((line) => leadsTo(line, uid)))
  if (missing.length === 0) return ok(`each of ${pushed.length} agents can be called over SIP`)
  return missing.map(({ name }) => wrong(`${name} cannot be called over SIP`, 'connect sync voiceai'))
}

function leadsTo(line: Record<string, unknown>, uid: string | null): boolean {
  return line.phone_number === uid && objectIn(line.assigned_agent).agent_id === uid
}

function lookAtLanguageModels(body: unknown, { agents }: Asked): Outcome | Outcome[] {
  const offered = new Set(listIn(body, 'llms').map(({ llm }) => llm))
  const gone = agents.filter(({ llm }) => llm !== null && !offered.has(llm))
  const fix = 'Choose another language model for the agent.'
  if (gone.length > 0) return gone.map(({ name, llm }) => wrong(`${name} uses ${llm}, which is not offered`, fix))
  return ok('each agent has one that the platform offers')
}

function lookAtWebhook(body: unknown, { settings }: Asked): Outcome {
  const id = settings.voiceai_post_call_webhook_id
  const ours = listIn(body, 'webhooks').find((each) => each.webhook_id === id)
  if (ours === undefined) return wrong('the platform does not have it', 'connect sync voiceai')
  if (ours.is_auto_disabled === true || ours.is_disabled === true) {
    const failure = ours.most_recent_failure_error_code ?? 'unknown'
    return wrong(
      `the platform has disabled it; its last failure was ${String(failure)}`,
      'Let the address answer, then: connect sync voiceai',
    )
  }
  return ok('is in use')
}

/** Conversations that the platform ended or never began, with its own reason. */
async function lookAtConversations(body: unknown, { read }: Asked): Promise<Outcome | Outcome[]> {
  const all = listIn(body, 'conversations')
  if (all.length === 0) return note('there are none yet', TEST_CALL)
  const failed = all.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return ok(`none of the last ${all.length} failed`)
  const outcomes = await Promise.all(failed.slice(0, DETAILS_MAX).map((each) => explain(read, each)))
  const more = failed.length - outcomes.length
  return more === 0 ? outcomes : [...outcomes, note(`${more} more failed`)]
}

async function explain(read: ReadOnly, { conversation_id: id }: Record<string, unknown>): Promise<Outcome> {
  const { body } = await read.voiceai(`${CONVERSATIONS}/${encodeURIComponent(String(id))}`)
  const { error, termination_reason: reason } = objectIn(objectIn(body).metadata)
  const said = [objectIn(error).reason, reason].find((each) => typeof each === 'string' && each !== '')
  return wrong(`${String(id)} failed: ${String(said ?? 'no reason is given')}`, 'connect deliveries list')
}

/** Whether the newest call that came over the telephone carried our reference, by which it is found here. */
async function lookAtCalls(body: unknown, { read }: Asked): Promise<Outcome> {
  const newest = listIn(body, 'conversations').slice(0, DETAILS_MAX)
  const details = await Promise.all(
    newest.map(({ conversation_id: id }) =>
      read.voiceai(`${CONVERSATIONS}/${encodeURIComponent(String(id))}`).then((each) => objectIn(each.body)),
    ),
  )
  const calls = details.filter(({ metadata }) => Object.keys(objectIn(objectIn(metadata).phone_call)).length > 0)
  const [call] = calls
  if (call === undefined) return note('no conversation came over the telephone yet', TEST_CALL)
  const variables = objectIn(objectIn(call.conversation_initiation_client_data).dynamic_variables)
  const name = CALL_VARIABLES.find((each) => variables[each] !== undefined && variables[each] !== '')
  if (name !== undefined) return ok(`the newest one is linked to its call by ${name}`)
  const fix =
    'See "X-Connect-Call-Ref" in docs/provider-checks.md: the platform passes our SIP header on in another shape.'
  return wrong(`${String(call.conversation_id)} carries no reference to its call`, fix)
}
