import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { asError } from '../../errors.ts'
import { fillTemplate } from '../applications/template.ts'
import { apiUrlProblem } from '../client/api-url.ts'
import { answerProblem } from '../markup/document.ts'
import { sayDocument } from '../markup/voice.ts'
import { type CallPlan, markupPlan, UnrenderableError } from './decide/plan.ts'
import { SYSTEM_ERROR } from './decide/sentences.ts'
import { type Rendering, reportUrl } from './rendering.ts'

interface MarkupRow {
  id: number
  code_type: string
  markup: string
  model: string | null
  method: string | null
}

const FIND = statement<MarkupRow, { id: number }>(
  'routing_markup',
  sql`select id, code_type, markup, model, method from connect_telco_markup where id = ${param('id')}`,
)

/** Applications that one answer passes through: they can stand for the route that leads back to them. */
const HOPS_MAX = 3

/**
 * Answers with the application (docs/reference/domain.md#rendered-applications); undefined when there is none with that
 * id.
 */
export async function renderMarkupApplication(rendering: Rendering, markupId: number): Promise<CallPlan | undefined> {
  const { env } = rendering
  const [row] = await env.db.run(FIND, { id: markupId })
  if (row === undefined) return undefined
  const problem = apiUrlProblem(env.settings.apiUrl)
  if (problem !== undefined) return markupPlan(sayDocument(problem))
  if (row.code_type === 'model_method') return renderRoute(rendering, row)
  if (row.code_type === 'markup') return markupPlan(await renderTemplate(rendering, row))
  throw new UnrenderableError(`application ${row.id} is of the type ${row.code_type}`, {
    markup: SYSTEM_ERROR,
    speech: rendering.speech,
  })
}

async function renderRoute(rendering: Rendering, { id, model, method }: MarkupRow): Promise<CallPlan> {
  if (model !== 'connect.telco.domain' || method !== 'route_call') {
    throw new UnrenderableError(`application ${id} names ${model}.${method}`, {
      markup: SYSTEM_ERROR,
      speech: rendering.speech,
    })
  }
  if (rendering.hops >= HOPS_MAX) {
    throw new UnrenderableError(`application ${id} leads to itself`, { markup: SYSTEM_ERROR, speech: rendering.speech })
  }
  return rendering.routeDomain({ ...rendering, hops: rendering.hops + 1 })
}

async function renderTemplate(rendering: Rendering, { id, markup }: MarkupRow): Promise<string> {
  const fields = {
    ...rendering.call.fields,
    recording_voice_status_url: reportUrl(rendering, 'recordingstatus'),
    call_voice_status_url: reportUrl(rendering, 'callstatus'),
  }
  const filled = fill(rendering, { id, markup }, fields)
  const problem = answerProblem(filled)
  if (problem === undefined) return filled
  throw new UnrenderableError(`application ${id}: ${problem}`, { markup: SYSTEM_ERROR, speech: rendering.speech })
}

function fill(
  rendering: Rendering,
  { id, markup }: Pick<MarkupRow, 'id' | 'markup'>,
  fields: Readonly<Record<string, string>>,
): string {
  try {
    return fillTemplate(markup, fields)
  } catch (error) {
    throw new UnrenderableError(`application ${id}: ${asError(error).message}`, {
      markup: SYSTEM_ERROR,
      speech: rendering.speech,
    })
  }
}
