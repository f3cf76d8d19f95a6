import { useQuery } from '@tanstack/react-query'
import { type Row, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { mayDo, useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'

const FLOWS = 'connect.telco.callflow'
/** Far more call flows than a company has. */
const FLOWS_MAX = 1000
const FIELDS = [
  ...(['name', 'exten', 'gather_input', 'voicemail_enabled', 'fallback_exten', 'fallback_message'] as const),
] as const

type SilentFlow = Row<typeof FLOWS, (typeof FIELDS)[number]>

/** Call flows that ring people of whom no phone rings. */
const silentQuery = asks({
  queryKey: keyOf(FLOWS, 'rings-no-one'),
  queryFn: () => searchRead(FLOWS, { domain: [['rings_no_one', '=', true]], fields: FIELDS, limit: FLOWS_MAX }),
})

/** Says that the call flow which is chosen rings no one, and leads to the people whom it is to ring. */
export function SilentFlowNote({ id }: { id: number | undefined }) {
  const flows = useSilentFlows(id !== undefined)
  return <Note flow={flows.find((flow) => flow.id === id)} />
}

/** The same of the one behind a short number. */
export function SilentFlowBehindNote({ extension }: { extension: number | undefined }) {
  const flows = useSilentFlows(extension !== undefined)
  return <Note flow={flows.find(({ exten: link }) => extension !== undefined && link?.[0] === extension)} />
}

/** As far as the person who looks may know. */
function useSilentFlows(isWanted: boolean): readonly SilentFlow[] {
  const me = useMe()
  const enabled = isWanted && mayDo(me, FLOWS, 'r')
  const { data = [] } = useQuery({ ...silentQuery, enabled, throwOnError: false })
  return data
}

function Note({ flow }: { flow: SilentFlow | undefined }) {
  const say = useWords('records')
  if (flow === undefined) return null
  return (
    <p className="dim" role="status">
      {silence(say, flow)}{' '}
      <a href={`/records/${FLOWS}/${flow.id}`} target="_blank" rel="noopener">
        {say('seeGroup')}
      </a>
    </p>
  )
}

/** What its callers hear; where they may choose or something stands in for it, only that no phone rings. */
function silence(say: ReturnType<typeof useWords<'records'>>, flow: SilentFlow): string {
  const name = flow.name ?? ''
  if (flow.gather_input === true) return say('silentInGroup', { names: name })
  if (flow.voicemail_enabled === true) return say('silentWithVoicemail', { name })
  const hasFallback = flow.fallback_exten !== null || (flow.fallback_message ?? '').trim() !== ''
  return hasFallback ? say('silentInGroup', { names: name }) : say('silentFlow', { name })
}
