import { Autocomplete, Button, Group, Modal } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { listQuery } from '../data/queries.ts'
import { tellDone } from '../design/notices.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

export type HandOver = 'forward' | 'transfer'

const EXTENSIONS_MAX = 200
/** Between an extension and whose it is, as they are offered. */
const DASH = ' – '

/** Asks to whom the other party goes: forwarding follows the routing of any number, a transfer rings an extension at once. */
export function HandOverDialog({ id, kind, onClose }: { id: number; kind: HandOver; onClose: () => void }) {
  const say = useWords('calls')
  const [target, setTarget] = useState('')
  const { data: extensions = [] } = useQuery(
    listQuery('connect.telco.exten', { fields: ['number', 'dst_name'], order: 'number', limit: EXTENSIONS_MAX }),
  )
  const number = target.split(DASH)[0]?.trim() ?? ''
  const handOver = useMutation<unknown>({
    mutationFn: () =>
      kind === 'forward'
        ? call('connect.call', 'forward', { ids: [id], number })
        : call('connect.call', 'transfer', { ids: [id], exten: number }),
    onSuccess: () => {
      tellDone(say('handedOver', { target }))
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (number !== '') handOver.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say(kind === 'forward' ? 'forwardTitle' : 'transferTitle')}
      withCloseButton={false}
    >
      <form onSubmit={submit} noValidate>
        <Autocomplete
          label={say(kind === 'forward' ? 'forwardTo' : 'transferTo')}
          description={say(kind === 'forward' ? 'forwardDetail' : 'transferDetail')}
          data-autofocus
          openOnFocus={false}
          comboboxProps={{ withinPortal: false }}
          data={[...new Set(extensions.map(optionOf))]}
          value={target}
          onChange={setTarget}
          error={handOver.error === null ? undefined : sentenceOf(handOver.error)}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" loading={handOver.isPending} disabled={number === ''}>
            {say(kind)}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function optionOf({ number, dst_name: name }: { number: string | null; dst_name: string | null }): string {
  return name === null || name === '' ? (number ?? '') : `${number}${DASH}${plain(name)}`
}
