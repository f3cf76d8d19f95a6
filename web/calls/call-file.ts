/** A list of calls as a file: the columns that the list shows, in words. */
import { beganAt, type CallRow } from '../lines/call-rows.ts'
import { stripWords } from '../lines/call-strip.tsx'
import { stripOf } from '../lines/call-strip-of.tsx'
import { outcomeWords } from '../lines/outcome-words.ts'
import { otherSide } from '../lines/party.tsx'
import type { OwnColumns } from '../records/export-all.ts'
import { type FileColumn, labelWithZone } from '../records/export-rows.ts'
import { plain, wallTime } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { lengthOf } from './call-columns.tsx'

/** Its columns have the names of the list; a picture is what it is called. */
export function useFileColumns(): OwnColumns {
  const say = useWords('calls')
  const sayLine = useWords('lines')
  return (manner) => {
    const columns: FileColumn<CallRow>[] = [
      {
        label: labelWithZone(say('started'), manner),
        text: (call) => {
          const at = beganAt(call)
          return at === null ? '' : wallTime(at, manner.zone)
        },
      },
      { label: say('direction'), text: ({ direction }) => (direction === null ? '' : sayLine(direction)) },
      { label: say('who'), text: whoOf },
      { label: say('outcome'), text: (call) => outcomeWords(call, sayLine) },
      { label: say('line'), text: (call) => stripWords(stripOf(call), sayLine) },
      { label: say('length'), text: lengthOf },
      { label: say('ticket'), text: ({ ticket }) => (ticket === null ? '' : `#${ticket[0]}`) },
    ]
    return columns.map((column) => ({ ...column, text: (row) => column.text(row as unknown as CallRow) }))
  }
}

function whoOf(call: CallRow): string {
  const name = call.partner === null ? '' : `${plain(call.partner[1])} `
  return `${name}${otherSide(call) ?? '?'}`
}
