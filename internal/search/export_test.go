package search

// Unfinished returns the revisions of which the index of a space may hold pages besides its own.
func (s *Service) Unfinished(space string) ([]string, error) {
	index, err := s.acquire(space)
	if err != nil {
		return nil, err
	}
	defer s.release([]*spaceIndex{index})
	return index.unfinished()
}
