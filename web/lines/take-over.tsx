import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'

/** Rings one's own phone with the other party of a call that goes on; for whoever has an extension. */
export function TakeOver({ id, name }: { id: number; name?: string | undefined }) {
  const say = useWords('lines')
  const me = useMe()
  const exten = me.phone?.extension ?? undefined
  const take = useMutation({
    mutationFn: () => call('connect.call', 'transfer', { ids: [id], exten: exten ?? '' }),
    onSuccess: () => tellDone(say('takenOver')),
    onError: tellRefusal,
  })
  if (exten === undefined || !mayDo(me, 'connect.call', 'w')) return null
  return (
    <Button
      variant="default"
      {...(name === undefined ? {} : { size: 'compact-sm', 'aria-label': say('takeOverNamed', { name }) })}
      loading={take.isPending}
      onClick={() => take.mutate()}
    >
      {say('takeOver')}
    </Button>
  )
}
