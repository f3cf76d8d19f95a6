import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keysOf } from '../data/keys.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { BuyConfirm } from './buy-number-confirm.tsx'
import { BuySearch } from './buy-number-search.tsx'
import { NUMBERS, type Offered } from './numbers-for-sale.ts'
import classes from './settings.module.css'

/** Has somebody find a number at Twilio and buy it: country, area and kind, then what it costs and what it needs. */
export function BuyNumber({ onBought }: { onBought: (id: number) => void }) {
  const say = useWords('settings')
  const me = useMe()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Offered>()
  if (!mayDo(me, NUMBERS, 'c')) return null
  const close = (): void => {
    setOpen(false)
    setChosen(undefined)
  }
  const finish = async (id: number, number: string): Promise<void> => {
    close()
    tellDone(say('numberIsYours', { number: phone(number) }))
    await queries.invalidateQueries({ queryKey: keysOf(NUMBERS) })
    onBought(id)
  }
  return (
    <>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => setOpen(true)}>
          {say('getNumber')}
        </Button>
      </div>
      <Modal
        opened={isOpen}
        onClose={close}
        size="lg"
        title={say('getNumber')}
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        {me.features.emulated === true ? <p className="dim">{say('numbersAreEmulated')}</p> : null}
        <div hidden={chosen !== undefined}>{isOpen ? <BuySearch onChoose={setChosen} /> : null}</div>
        {chosen === undefined ? null : (
          <BuyConfirm offered={chosen} onBack={() => setChosen(undefined)} onBought={finish} />
        )}
      </Modal>
    </>
  )
}
