import { Option } from 'commander'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import { Refusal } from '../../errors.ts'
import type { AskingEnv, CommandRow } from '../command.ts'
import { csvLine } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { describeFields, withoutSecrets } from '../terminal/secret-fields.ts'

const PAGE_ROWS = 1_000
/** Records with long texts are asked for in smaller pages. */
const PAGE_SHRINKS_BY = 10
const ANSWER_TOO_LARGE = 413

export const EXPORT_COMMAND: CommandRow = {
  usage: 'export <model>',
  about: 'print every record of a model, such as connect.call, as JSON lines or with --csv; secrets are masked',
  options: [
    new Option('--fields <names>', 'only these fields, separated by commas'),
    new Option('--domain <json>', 'only records that fit this search domain').default('[]'),
  ],
  async ask(env, model: string, options: { fields?: string; domain: string }) {
    const fields = options.fields?.split(',').map((name) => name.trim()) ?? null
    await exportRecords(env, { model, fields, domain: parseDomain(options.domain) })
  },
}

interface Wanted {
  model: string
  /** All of them when it is null. */
  fields: string[] | null
  domain: unknown[]
}

async function exportRecords({ connection, terminal, format }: AskingEnv, { model, fields, domain }: Wanted) {
  const described = await describeFields(connection, model)
  const line = format === 'csv' ? csvWriter(fields) : (row: object): string => `${printable(JSON.stringify(row))}\n`
  // By id and not by position: what is removed meanwhile must not make another record be left out.
  let limit = PAGE_ROWS
  for (let after = 0; ; ) {
    const args = { domain: [['id', '>', after], ...domain], fields, limit, order: 'id' }
    const rows = await connection.call<{ id: number }[]>(model, 'search_read', args).catch((error: unknown) => {
      if (!isTooLarge(error) || limit === 1) throw error
      return undefined
    })
    if (rows === undefined) {
      limit = Math.ceil(limit / PAGE_SHRINKS_BY)
      continue
    }
    for (const row of rows) terminal.out.write(line(withoutSecrets({ ...row }, described)))
    if (rows.length < limit) return
    after = rows.at(-1)?.id ?? after
  }
}

/** A line for each record, the names of the columns above the first one. */
function csvWriter(fields: string[] | null): (row: Record<string, unknown>) => string {
  let columns: string[] | undefined
  return (row) => {
    const heading = columns === undefined
    columns ??= fields === null ? Object.keys(row) : ['id', ...fields.filter((name) => name !== 'id')]
    const line = csvLine(columns.map((name) => row[name]))
    return heading ? csvLine(columns) + line : line
  }
}

function parseDomain(text: string): unknown[] {
  const refusal = 'The domain should be a JSON list, such as [["status","=","completed"]].'
  try {
    const domain: unknown = JSON.parse(text)
    if (Array.isArray(domain)) return domain
  } catch (error) {
    throw new ServiceRefusal(400, refusal, { cause: error })
  }
  throw new ServiceRefusal(400, refusal)
}

/** Whether the answer would have been too large, so that a smaller page may do. */
function isTooLarge(error: unknown): boolean {
  return (error instanceof ServiceRefusal || error instanceof Refusal) && error.status === ANSWER_TOO_LARGE
}
