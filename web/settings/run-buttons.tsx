import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { tellRefusal } from '../design/notices.tsx'
import type { Keys } from '../words/keys.ts'
import { useWords } from '../words/words.ts'

const LABELS: Readonly<Record<string, Keys['settings']>> = {
  telco_sync: 'sync',
  telco_check: 'check',
  voiceai_sync: 'sync',
  voiceai_check: 'check',
}

/** Begin a run with a provider; how far it is stands below. */
export function RunButtons({ runs }: { runs: readonly string[] }) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const begin = async (method: string): Promise<void> => {
    setAsking(true)
    await callByName('connect.settings', method, {}).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: ['connect.sync_run'] })
    setAsking(false)
  }
  return (
    <>
      {runs.map((method) => (
        <Button key={method} variant="default" disabled={isAsking} onClick={() => void begin(method)}>
          {say(LABELS[method] ?? 'sync')}
        </Button>
      ))}
    </>
  )
}
