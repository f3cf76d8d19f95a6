import { CallEnded } from '../../line.ts'
import type { MarkupElement } from '../markup/element.ts'
import type { Carrier } from './carrier.ts'
import { connect } from './connect.ts'
import { dial } from './dial.ts'
import { type Document, type DocumentSource, readAnswer, readMarkup } from './document.ts'
import { gather } from './gather.ts'
import { type Leg, Redirected } from './leg.ts'
import { playPrompt } from './prompts.ts'
import { record } from './record.ts'
import { absoluteAddress, methodOf, type Next, type PlayVerb, type Stage } from './stage.ts'

/** A call that asks for more documents than this goes round in circles. */
const DOCUMENTS_MAX = 200
const APOLOGY = 'We are sorry, an application error has occurred. Goodbye.'
const NOT_CONFIGURED = 'Your number is not configured.'

/** Carries out one document after the other on a leg, until there is none left, and then ends the call. */
export async function runCall(carrier: Carrier, leg: Leg, first: DocumentSource | undefined): Promise<void> {
  if (first === undefined) leg.handset.hear(NOT_CONFIGURED)
  await runDocuments(carrier, leg, { first, isScreening: false })
  leg.end('completed')
}

/** A dialled leg that was given a document of its own goes on without the call that dialled it. */
async function leadAway(carrier: Carrier, leg: Leg, source: DocumentSource): Promise<void> {
  try {
    await runCall(carrier, leg, source)
  } catch (error) {
    carrier.problems.add({ where: 'scenario', message: `the call to ${leg.to} came to grief: ${String(error)}` })
    leg.end('failed')
  }
}

async function runDocuments(
  carrier: Carrier,
  leg: Leg,
  { first, isScreening }: { first: DocumentSource | undefined; isScreening: boolean },
): Promise<void> {
  let source = first
  for (let count = 0; source !== undefined; count += 1) {
    if (count >= DOCUMENTS_MAX) {
      carrier.problems.add({ where: 'telco', message: `${leg.sid} asked for more than ${DOCUMENTS_MAX} documents` })
      return
    }
    const signal = leg.beginProgram()
    try {
      const screen: Stage['screen'] = (callee, document) =>
        runDocuments(carrier, callee, { first: document, isScreening: true })
      const lead: Stage['lead'] = (callee, document) => void leadAway(carrier, callee, document)
      source = await runDocument({ carrier, leg, signal, isScreening, address: undefined, screen, lead }, source)
    } catch (reason) {
      if (reason instanceof CallEnded) return
      if (!(reason instanceof Redirected)) throw reason
      source = reason.source
    }
  }
}

/** One document; answers the next one, undefined when the call is over. */
async function runDocument(stage: Stage, source: DocumentSource): Promise<DocumentSource | undefined> {
  const document = await fetchDocument(stage, source)
  stage.signal.throwIfAborted()
  if (document.kind === 'verbs') {
    const address = source.kind === 'address' ? source.address.split('#', 1)[0] : undefined
    const next = await playVerbs({ ...stage, address }, document.verbs)
    if (next === 'end') stage.leg.end('completed')
    return typeof next === 'object' ? next : undefined
  }
  stage.leg.answer()
  stage.leg.handset.hear(document.kind === 'failure' ? APOLOGY : document.words)
  return undefined
}

async function fetchDocument({ carrier, leg }: Stage, source: DocumentSource): Promise<Document> {
  const { problems } = carrier
  if (source.kind === 'markup') return readMarkup(source.markup, { problems, of: 'inline markup' })
  const document = readDocument(carrier, source.address, await carrier.askAbout(leg, source))
  if (document.kind !== 'failure') return document
  problems.add({ where: 'telco', code: document.code, message: `${source.address}: ${document.message}` })
  if (source.fallback === undefined) return document
  const fields = { ...source.fields, ErrorCode: String(document.code), ErrorUrl: source.address }
  return readDocument(carrier, source.fallback.address, await carrier.askAbout(leg, { ...source.fallback, fields }))
}

const REFUSED_REQUEST = 'Invalid Telco request!'

function readDocument({ problems }: Carrier, address: string, outcome: Parameters<typeof readAnswer>[0]): Document {
  const answer = readAnswer(outcome)
  if (answer.kind !== 'markup') return answer
  if (answer.markup.includes(REFUSED_REQUEST)) {
    problems.add({ where: 'scenario', message: `the service took our signature at ${address} for a wrong one` })
  }
  return readMarkup(answer.markup, { problems, of: address })
}

async function playVerbs(stage: Stage, verbs: readonly MarkupElement[]): Promise<Next> {
  for (const [place, verb] of verbs.entries()) {
    const after = verbs[place + 1]
    if (after !== undefined && neverReturns(verb)) {
      const message = `<${after.name}> is never reached after <${verb.name}>`
      stage.carrier.problems.add({ where: 'telco', message })
    }
    const play = VERBS[verb.name]
    if (play === undefined) {
      stage.carrier.problems.add({ where: 'telco', message: `<${verb.name}> is not played by this emulator` })
      continue
    }
    const next = await play(stage, verb)
    stage.signal.throwIfAborted()
    if (next !== undefined) return next
  }
  // An empty document still answers the call, and hangs up.
  if (!stage.isScreening) stage.leg.answer()
  return undefined
}

/** The provider says nothing of verbs behind these; a service that writes them means something else. */
function neverReturns({ name, attributes }: MarkupElement): boolean {
  return ['Redirect', 'Hangup', 'Reject'].includes(name) || (name === 'Dial' && attributes.action !== undefined)
}

async function prompt(stage: Stage, verb: MarkupElement): Promise<Next> {
  // A pause at the beginning waits before the call is answered.
  if (verb.name !== 'Pause') stage.leg.answer()
  await playPrompt(stage, verb, stage.signal)
  return undefined
}

async function redirect(stage: Stage, { text, attributes }: MarkupElement): Promise<Next> {
  const address = absoluteAddress(stage, text.trim())
  return { kind: 'address', address, method: methodOf(attributes.method), fields: {} }
}

async function hangUp({ leg }: Stage): Promise<Next> {
  leg.answer()
  return 'end'
}

async function reject({ leg }: Stage, { attributes }: MarkupElement): Promise<Next> {
  leg.end(attributes.reason === 'busy' ? 'busy' : 'no-answer')
  return 'end'
}

const VERBS: Readonly<Record<string, PlayVerb>> = {
  Say: prompt,
  Play: prompt,
  Pause: prompt,
  Gather: gather,
  Dial: dial,
  Record: record,
  Redirect: redirect,
  Hangup: hangUp,
  Reject: reject,
  Connect: connect,
}
