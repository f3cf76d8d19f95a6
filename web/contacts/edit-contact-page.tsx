import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { RecordOf } from '../records/record-page.tsx'
import { WaysPlace } from '../records/ways.ts'

/** The form of a contact, or of a new one; from it one comes back to the contact. */
export function EditContactPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const ways = useMemo(() => {
    const one = (contact: number | string) => `/contacts/${contact}`
    return { list: '/contacts', one, ...(id === undefined ? {} : { shown: one(id) }) }
  }, [id])
  return (
    <WaysPlace value={ways}>
      <RecordOf model="res.partner" address={id} />
    </WaysPlace>
  )
}
