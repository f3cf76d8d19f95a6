import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

interface Props {
  number: string
  /** Id of the contact, where it is known. */
  contact?: number | undefined
  /** In a row; there it is for whoever has a phone only. */
  size?: 'compact-xs' | 'compact-sm'
}

/** Rings one's own phone, and connects it with the number; the service says why where that cannot be. */
export function DialButton({ number, contact, size }: Props) {
  const say = useWords('lines')
  const me = useMe()
  const dial = useMutation({
    mutationFn: () =>
      call('connect.user', 'originate', { number, ...(contact === undefined ? {} : { partner_id: contact }) }),
    onSuccess: () => tellDone(say('dialling', { number: phone(number) })),
    onError: tellRefusal,
  })
  const isInRow = size !== undefined
  if (!mayDo(me, 'connect.user', 'r') || (isInRow && !me.phone)) return null
  return (
    <Button
      {...(isInRow ? { size } : {})}
      variant={size === 'compact-sm' ? 'filled' : 'default'}
      loading={dial.isPending}
      onClick={() => dial.mutate()}
      aria-label={isInRow ? say('dialNumber', { number: phone(number) }) : undefined}
    >
      {isInRow ? say('dial') : say('callBack')}
    </Button>
  )
}
