import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName, searchRead, write } from '../data/client.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { reasonOf } from '../words/server-words.ts'
import { useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { type Explained, mendingOf } from './mending.ts'

/** What came, what we expect, and the setting that is wrong, with the button that sets it right. */
export function SignaturePanel({ id }: { id: number }) {
  const say = useWords('deliveries')
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery(
    asks({
      queryKey: keyOf('connect.delivery', 'signature', id),
      queryFn: async () => {
        const [settings] = await searchRead('connect.settings', { fields: ['api_url'], limit: 1 })
        const explained = (await callByName('connect.settings', 'explain_signature', { delivery_id: id })) as Explained
        return { explained, settings: settings?.id ?? 0, mending: mendingOf(explained, settings?.api_url ?? '') }
      },
      retry: false,
    }),
  )
  if (data === undefined) return null
  const { explained, mending, settings } = data
  const mend = async (): Promise<void> => {
    setAsking(true)
    try {
      if (mending?.kind === 'set') await write('connect.settings', [settings], { api_url: mending.address })
      await callByName('connect.settings', 'telco_sync', {})
      await queries.invalidateQueries({ queryKey: keysOf('connect.delivery', 'signature') })
      tellDone(say('pushed'))
    } catch (error) {
      tellRefusal(error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <section className={classes.signature} aria-label={say('signature')}>
      <dl className={classes.facts}>
        {explained.url === undefined ? null : (
          <>
            <dt>{say('signedFor')}</dt>
            <dd className="mono">{plain(explained.url)}</dd>
          </>
        )}
        {explained.expected === undefined ? null : (
          <>
            <dt>{say('weExpect')}</dt>
            <dd className="mono">{plain(explained.expected)}</dd>
          </>
        )}
      </dl>
      <p className={classes.why}>{plain(reasonOf(explained.sentence))}</p>
      {mending === undefined ? null : (
        <>
          <p className="dim">
            {mending.kind === 'set' ? say('doesSet', { address: mending.address }) : say('doesPush')}
          </p>
          <Button disabled={isAsking} onClick={() => mend()}>
            {say('doIt')}
          </Button>
        </>
      )}
    </section>
  )
}
