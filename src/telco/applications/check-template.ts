import { checkMarkup } from '../markup/check.ts'
import { markupProblem } from '../markup/document.ts'
import { fillTemplate, templateProblem } from './template.ts'

/** What a request of the provider carries, for trying templates out. */
const SAMPLE_FIELDS: Readonly<Record<string, string>> = {
  CallSid: 'CA00000000000000000000000000000001',
  AccountSid: 'AC00000000000000000000000000000001',
  ApiVersion: '2010-04-01',
  Direction: 'inbound',
  CallStatus: 'ringing',
  From: '+14155550100',
  Caller: '+14155550100',
  To: '+14155550199',
  Called: '+14155550199',
  ExtenID: '1',
  ExtenNumber: '101',
  call_voice_status_url: 'https://pbx.example.com/telco/webhook/callstatus',
  recording_voice_status_url: 'https://pbx.example.com/telco/webhook/recordingstatus',
}

/** A template tried out: the document it makes, and everything about it that the provider would not do. */
export interface TriedTemplate {
  readonly markup: string
  readonly problems: readonly string[]
}

/** Fills the template with fields of a sample request, `fields` winning, and checks the document strictly. */
export function tryTemplate(template: string, fields: Readonly<Record<string, string>> = {}): TriedTemplate {
  const problem = templateProblem(template)
  if (problem !== undefined) return { markup: '', problems: [problem] }
  try {
    const markup = fillTemplate(template, { ...SAMPLE_FIELDS, ...fields })
    return { markup, problems: checkMarkup(markup) }
  } catch (error) {
    return { markup: '', problems: [error instanceof Error ? error.message : String(error)] }
  }
}

/** Why no call could be answered with the template; undefined when it makes a document that the provider can read. */
export function unusableReason(template: string): string | undefined {
  const problem = templateProblem(template)
  if (problem !== undefined) return problem
  try {
    return markupProblem(fillTemplate(template, SAMPLE_FIELDS))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
