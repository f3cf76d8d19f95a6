import { useQuery } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'
import { asks, keyOf, SERVICE } from '../data/keys.ts'
import { useMe } from '../data/session.ts'
import { Button } from '../design/press.tsx'
import { usePlayedCall } from '../lines/played-call.ts'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { useNumbers } from './set-up-number.tsx'
import classes from './settings.module.css'

/** The first call: by a telephone, or played; it ends on the page of that call. */
export function CallStep() {
  const say = useWords('settings')
  const { features } = useMe()
  const { data: numbers = [] } = useNumbers()
  const { data: newest } = useNewestCall()
  const number = numbers.find(({ destination }) => destination !== null)?.phone_number ?? undefined
  // Anyone who calls by telephone needs no button: the next call is theirs.
  const { isOn, play } = usePlayedCall(newest)
  return (
    <section className={classes.card}>
      <h2>{say('firstCall')}</h2>
      <p>
        {number === undefined
          ? say('noNumberYet')
          : say(features.emulated === true ? 'callEmulated' : 'callNow', { number: phone(number) })}
      </p>
      {features.emulated === true ? (
        <div className={classes.actions}>
          <Button disabled={number === undefined || isOn} onClick={() => play(number ?? '')}>
            {say('playCall')}
          </Button>
        </div>
      ) : null}
      <p role="status" className="dim">
        {isOn ? say('callIsOn') : ''}
      </p>
    </section>
  )
}

/** The newest call there was when the step was opened. */
function useNewestCall() {
  return useQuery(
    asks({
      queryKey: keyOf(SERVICE, 'newest-call'),
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async () => {
        const [row] = await searchRead('connect.call', { fields: ['id'], order: 'id desc', limit: 1 })
        return row?.id ?? 0
      },
    }),
  )
}
