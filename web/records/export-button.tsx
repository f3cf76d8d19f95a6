import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../data/client.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { formats, reader, useWords } from '../words/words.ts'
import { EXPORT_ROWS_MAX, exportAll, type OwnColumns } from './export-all.ts'

export interface FileOf {
  model: string
  /** Columns of the file, and what is read for them. */
  fields: readonly string[]
  columns?: OwnColumns | undefined
  domain: Domain
  /** That of the list. */
  order?: string | undefined
  /** What the list calls the name of its records. */
  nameLabel?: string | undefined
}

/** Saves the records that fit as a file; `count` says how many of them are selected. */
export function ExportButton({ count, ...file }: FileOf & { count: number }) {
  const say = useWords('records')
  const queries = useQueryClient()
  const save = async (): Promise<void> => {
    try {
      const { zone, language } = reader()
      const manner = { zone, language, yes: say('yes'), no: say('no') }
      const rows = await exportAll(queries, { ...file, manner })
      tellDone(
        rows < EXPORT_ROWS_MAX
          ? say('exported', { count: rows, shown: formats.count(rows) })
          : say('exportedFirst', { shown: formats.count(rows) }),
      )
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <Button variant="subtle" size="compact-sm" onClick={save}>
      {count === 0 ? say('export') : say('exportSelected', { count })}
    </Button>
  )
}
