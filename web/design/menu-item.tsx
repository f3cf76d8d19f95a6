import { createPolymorphicComponent, Menu, type MenuItemProps } from '@mantine/core'
import { type ComponentProps, forwardRef } from 'react'
import { usePress, type Work } from './press.tsx'

/** An entry of a menu, which is pressed as a button is. */
export const MenuItem = createPolymorphicComponent<'button', MenuItemProps & Work>(
  forwardRef<HTMLButtonElement, MenuItemProps & Work & ComponentProps<'button'>>(function MenuItem(props, ref) {
    const { onClick, ...others } = props
    const [press] = usePress(onClick)
    return <Menu.Item {...others} ref={ref} onClick={press} />
  }),
)
