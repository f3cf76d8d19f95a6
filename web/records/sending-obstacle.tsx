import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { phone } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'

interface Receiver {
  to: string | null
  from?: string | undefined
  channel: string
}

/** Says that no message can be sent, or none to this receiver, before one is written, and where that is set right. */
export function SendingObstacle({
  className,
  receiver,
}: {
  className?: string | undefined
  receiver?: Receiver | undefined
}) {
  const say = useWords('records')
  const isAdmin = useIsInOne(GROUP.connectAdmin, GROUP.manager)
  const asked = receiver?.to ? { to: receiver.to, from: receiver.from, message_type: typeOf(receiver) } : undefined
  const { data } = useQuery(
    asks({
      queryKey: keyOf('connect.message', 'sending-obstacle', asked ?? {}),
      queryFn: () => call('connect.message', 'sending_obstacle', asked ?? {}),
      staleTime: 0,
    }),
  )
  if (data?.obstacle) {
    return (
      <p role="status" className={className}>
        {say('cannotSend')} {isAdmin ? <Link to="/settings/phone">{say('toPhoneProvider')} ▸</Link> : say('askAdmin')}
      </p>
    )
  }
  if (asked === undefined) return null
  const number = phone(asked.to)
  if (data?.cannot_answer) {
    return (
      <p role="status" className={className}>
        {say('cannotAnswer', { number })}
      </p>
    )
  }
  if (!data?.opted_out_at) return null
  return (
    <p role="status" className={className}>
      {say(asked.message_type === 'sms' ? 'optedOutOfTexts' : 'optedOutOfWhatsApp', {
        number,
        date: formats.time(data.opted_out_at),
      })}
    </p>
  )
}

function typeOf({ channel }: Receiver): 'sms' | 'WhatsApp' {
  return channel === 'WhatsApp' ? 'WhatsApp' : 'sms'
}
