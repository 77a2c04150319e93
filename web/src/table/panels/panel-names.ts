export type Panel = 'menu' | 'last' | 'log' | 'sheet' | 'chart' | 'people' | 'options' | 'rules' | 'invite' | 'settings' | 'chat'
