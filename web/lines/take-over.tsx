import { call } from '../data/client.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { ringsAnyPhone } from './own-phone.tsx'

/** Rings one's own phone with the other party of a call that goes on; for everybody who has an extension and a phone that rings. */
export function TakeOver({ id, name }: { id: number; name?: string | undefined }) {
  const say = useWords('lines')
  const me = useMe()
  const exten = me.phone?.extension ?? undefined
  const take = () =>
    call('connect.call', 'transfer', { ids: [id], exten: exten ?? '' }).then(
      () => tellDone(say('takenOver')),
      tellRefusal,
    )
  if (exten === undefined || !ringsAnyPhone(me) || !mayDo(me, 'connect.call', 'w')) return null
  return (
    <Button
      variant="default"
      {...(name === undefined ? {} : { size: 'compact-sm', 'aria-label': say('takeOverNamed', { name }) })}
      onClick={take}
    >
      {say('takeOver')}
    </Button>
  )
}
