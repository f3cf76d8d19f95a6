import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../data/client.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { useWords } from '../words/words.ts'

/** Says that no message can be sent, before one is written, and where that is set right. */
export function SendingObstacle({ className }: { className?: string | undefined }) {
  const say = useWords('records')
  const isAdmin = useIsInOne(GROUP.connectAdmin, GROUP.manager)
  const { data } = useQuery({
    queryKey: ['connect.settings', 'sending-obstacle'],
    queryFn: () => call('connect.message', 'sending_obstacle', {}),
    staleTime: 0,
  })
  if (!data?.obstacle) return null
  return (
    <p role="status" className={className}>
      {say('cannotSend')} {isAdmin ? <Link to="/settings/phone">{say('toPhoneProvider')} ▸</Link> : say('askAdmin')}
    </p>
  )
}
