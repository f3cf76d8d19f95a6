import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useOnce } from '../design/press.tsx'
import { useWords } from '../words/words.ts'

interface Props {
  group: { id: number; title: string }
  /** Whether its people have the right already. */
  isGiven: boolean
}

/** Whether the people of a group read the calls that only an agent answered. */
export function AgentCallsSwitch({ group: { id, title }, isGiven }: Props) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const give = (given: boolean): Promise<unknown> =>
    call('res.groups', 'agent_calls', { ids: [id], given }).then(() =>
      queries.invalidateQueries({ queryKey: keysOf('res.groups') }),
    )
  const [change, isChanging] = useOnce(async (given: boolean): Promise<void> => {
    try {
      await give(given)
      const back = (): void => void give(!given).catch(tellRefusal)
      tellDone(say(given ? 'agentCallsGiven' : 'agentCallsTaken', { group: title }), { label: say('undo'), run: back })
    } catch (error) {
      tellRefusal(error)
    }
  })
  return (
    <Switch
      label={say('mayReadAgentCalls')}
      aria-label={`${title}: ${say('mayReadAgentCalls')}`}
      checked={isGiven}
      disabled={isChanging}
      onChange={({ currentTarget: { checked } }) => change(checked)}
    />
  )
}
