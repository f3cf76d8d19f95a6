import { useCallback } from 'react'
import type { CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import type { Columns } from '../records/virtual-list.tsx'
import { formats, useWords } from '../words/words.ts'

type Item = CallRow & { id: number }

/** The columns of a list of calls. */
export function useCallColumns(): (rows: readonly Item[]) => Columns<Item> {
  const say = useWords('calls')
  return useCallback(
    (): Columns<Item> => [
      {
        id: 'who',
        label: say('who'),
        width: 'minmax(180px, 2fr)',
        cell: (call) => (
          <>
            <DirectionSign direction={call.direction} /> <Party call={call} />
          </>
        ),
      },
      {
        id: 'started',
        label: say('started'),
        width: '118px',
        cell: ({ create_date: at }) =>
          at === null ? null : <time dateTime={formats.exact(at)}>{formats.time(at)}</time>,
      },
      { id: 'outcome', label: say('outcome'), width: 'minmax(140px, 1fr)', cell: (call) => <Outcome call={call} /> },
      {
        id: 'line',
        label: say('line'),
        width: 'minmax(100px, 1fr)',
        cell: (call) => <CallStripOf call={call} />,
      },
      {
        id: 'length',
        label: say('length'),
        width: '64px',
        isHiddenNarrow: true,
        cell: ({ duration }) => formats.duration(duration ?? 0),
      },
      {
        id: 'ticket',
        label: say('ticket'),
        width: '64px',
        isHiddenNarrow: true,
        cell: ({ ticket }) => (ticket === null ? null : `#${ticket[0]}`),
      },
    ],
    [say],
  )
}
