import { useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { mayMake } from './made-by-hand.ts'

/** In the list of a picker that has nothing to offer: the first one is made in a tab of its own, so that what was typed here stays. */
export function NoneYet({ model }: { model: string }) {
  const say = useWords('records')
  const me = useMe()
  return (
    <>
      {say('noParts')}{' '}
      {mayMake(me, model) ? (
        <a href={`/records/${model}/new`} target="_blank" rel="noopener">
          {say('new')}
        </a>
      ) : null}
    </>
  )
}
