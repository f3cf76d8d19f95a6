import { Select } from '@mantine/core'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { Button } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import {
  countryName,
  NUMBERS,
  type Offered,
  priceOf,
  TWILIO_ADDRESSES,
  TWILIO_PAPERS,
  usePapers,
} from './numbers-for-sale.ts'
import { OutsideLink } from './outside-link.tsx'
import classes from './settings.module.css'

interface Props {
  offered: Offered
  onBack: () => void
  onBought: (id: number, number: string) => Promise<void>
}

const ADDRESS_WORDS = { any: 'wantsAddress', local: 'wantsLocalAddress', foreign: 'wantsForeignAddress' } as const

/** Names the number, what it costs each month and what it needs, before it is bought. */
export function BuyConfirm({ offered, onBack, onBought }: Props) {
  const say = useWords('settings')
  const { number, country, kind, monthly } = offered
  const want = number.address_requirements
  const { data: has, error } = usePapers(offered)
  const [address, setAddress] = useState<string | null>(null)
  const [bundle, setBundle] = useState<string | null>(null)
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const addresses = (has?.addresses ?? []).filter(
    (each) => want === 'any' || (each.country === country) === (want === 'local'),
  )
  const needsBundle = (has?.papers.length ?? 0) > 0
  const isReady =
    has !== undefined && monthly !== null && (want === 'none' || address !== null) && (!needsBundle || bundle !== null)
  const shown = phone(number.number)
  const price = monthly === null ? '' : priceOf(monthly)
  const buy = async (): Promise<void> => {
    if (monthly === null) return
    setProblem(undefined)
    try {
      const papers = { address_sid: want === 'none' ? null : address, bundle_sid: needsBundle ? bundle : null }
      const bought = await call(NUMBERS, 'buy', { number: number.number, country, kind, monthly, ...papers })
      await onBought(bought.id, bought.number)
    } catch (refused) {
      setProblem(sentenceOf(refused))
    }
  }
  return (
    <div className={classes.confirm}>
      <p>
        <strong>{say('buyAsk', { number: shown })}</strong>
      </p>
      <p>{monthly === null ? say('priceUnknown') : say('buySays', { price })}</p>
      {want === 'none' ? null : (
        <>
          <p>{say(ADDRESS_WORDS[want], { country: countryName(country) })}</p>
          <Papers label={say('addressForNumber')} page={TWILIO_ADDRESSES} value={address} onChange={setAddress}>
            {addresses.map(({ sid, name, place }) => ({ value: sid, label: [name, place].filter(Boolean).join(', ') }))}
          </Papers>
        </>
      )}
      {needsBundle ? (
        <>
          <p>{say('wantsPapers', { papers: has?.papers.join(', ') })}</p>
          <Papers label={say('papersForNumber')} page={TWILIO_PAPERS} value={bundle} onChange={setBundle}>
            {(has?.bundles ?? []).map(({ sid, name }) => ({ value: sid, label: name }))}
          </Papers>
        </>
      ) : null}
      <p role="alert" className={classes.problem}>
        {problem ?? (error === null ? null : sentenceOf(error))}
      </p>
      <div className={classes.actions}>
        <Button disabled={!isReady} onClick={() => buy()}>
          {say('buyNumber', { number: shown })}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {say('otherNumber')}
        </Button>
      </div>
    </div>
  )
}

interface PapersProps {
  label: string
  page: string
  value: string | null
  onChange: (sid: string | null) => void
  children: { value: string; label: string }[]
}

/** What the account has, by name; where it has nothing, the page where it is entered. */
function Papers({ label, page, value, onChange, children }: PapersProps) {
  const say = useWords('settings')
  if (children.length === 0) {
    return (
      <p>
        {say('noneAtTwilio')} <OutsideLink to={page}>{say('enterAtTwilio')}</OutsideLink>
      </p>
    )
  }
  return <Select label={label} data={children} allowDeselect={false} value={value} onChange={onChange} />
}
